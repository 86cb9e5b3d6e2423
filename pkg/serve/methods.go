package serve

import (
	"cmp"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// The protocol has two eras. Up to 2025-11-25 a session begins with initialize,
// which agrees on a revision. Since 2026-07-28 there is no session: every
// request names its revision in params._meta, and its result carries more.
const (
	lastLegacy  = mcp.ProtocolVersion20251125
	firstModern = mcp.ProtocolVersion20260728
)

// revisions are those that are served, the newest first.
var revisions = []string{
	firstModern, lastLegacy, mcp.ProtocolVersion20250618, mcp.ProtocolVersion20250326, mcp.ProtocolVersion20241105,
}

// Revisions are those of the protocol that are served, the newest first.
func Revisions() []string { return slices.Clone(revisions) }

// method says which revisions have a method and who answers it: either now, by
// who reads the messages, or later, in a slot.
type method struct {
	since, until string // "" for no bound
	now          func(*Request) ([][]byte, *Error)
	later        func(*Request) (*work, *Error)
	needs        *feature // without which a surface does not answer it; nil where every one does
}

// methods are those of MCP. What is missing here does not exist.
var methods = map[mcp.MCPMethod]method{
	mcp.MethodInitialize:             {until: lastLegacy, now: (*Request).initialize},
	mcp.MethodPing:                   {until: lastLegacy, now: (*Request).ping},
	mcp.MethodServerDiscover:         {since: firstModern, now: (*Request).discover},
	mcp.MethodToolsList:              {now: (*Request).list},
	mcp.MethodToolsCall:              {later: (*Request).callTool},
	mcp.MethodResourcesList:          {now: (*Request).list, needs: resourceFeature},
	mcp.MethodResourcesTemplatesList: {now: (*Request).list, needs: resourceFeature},
	mcp.MethodResourcesRead:          {later: (*Request).readResource, needs: resourceFeature},
	mcp.MethodResourcesSubscribe:     {until: lastLegacy, now: (*Request).subscribe, needs: markFeature},
	mcp.MethodResourcesUnsubscribe:   {until: lastLegacy, now: (*Request).unsubscribe, needs: markFeature},
	mcp.MethodSubscriptionsListen:    {since: firstModern, later: (*Request).listen},
	mcp.MethodPromptsList:            {now: (*Request).list, needs: promptFeature},
	mcp.MethodPromptsGet:             {later: (*Request).getPrompt, needs: promptFeature},
	mcp.MethodCompletionComplete:     {now: (*Request).complete, needs: completionFeature},
	methodSkillsList:                 {now: (*Request).listSkills, needs: skillFeature},
	methodSkillsGet:                  {now: (*Request).getSkill, needs: skillFeature},
	methodDirectoryRead:              {now: (*Request).readDirectory, needs: skillFeature},
	mcp.MethodSetLogLevel:            {until: lastLegacy, needs: logFeature},
}

// feature is what a surface may have or not.
type feature struct {
	name string
	in   func(*Surface) bool
}

var (
	resourceFeature = &feature{"resources", func(s *Surface) bool { return len(s.uris) > 0 || !s.skills.Empty() }}
	markFeature     = &feature{"resources subscribe", func(s *Surface) bool { return s.mark != nil && len(s.uris) > 0 }}
	promptFeature   = &feature{"prompts", func(s *Surface) bool { return len(s.prompts) > 0 }}
	// Completions are of the arguments of prompts and templates.
	completionFeature = &feature{"completions", func(s *Surface) bool { return len(s.prompts)+len(s.templates) > 0 }}
	skillFeature      = &feature{"skills", func(s *Surface) bool { return !s.skills.Empty() }}
	logFeature        = &feature{"logging", func(*Surface) bool { return false }}
)

func noMethod(format string, args ...any) *Error {
	return failure(mcp.METHOD_NOT_FOUND, CodeNotOffered, format, args...)
}

// method is who answers the request, or why nobody does.
func (r *Request) method() (method, *Error) {
	if err := r.readRevision(); err != nil {
		return method{}, err
	}
	how, ok := methods[r.Method]
	switch {
	case !ok:
		return how, noMethod("Method %s not found", r.Method)
	case r.revision < how.since && !r.names(mcp.MetaKeyProtocolVersion):
		return how, lacksMeta(mcp.MetaKeyProtocolVersion)
	case r.revision < how.since:
		return how, noMethod("%q requires protocol version %s or later", r.Method, how.since)
	case how.until != "" && r.revision > how.until:
		return how, noMethod("%q was removed in protocol version %s", r.Method, firstModern)
	case how.needs != nil && !how.needs.in(r.surface): // which may be since all of it is left out
		name := cmp.Or(r.Params.Get("name").Str(), r.Params.Get("uri").Str())
		return how, cmp.Or(r.surface.notServed(name), noMethod("%s not supported", how.needs.name))
	}
	return how, nil
}

// readRevision finds the revision that a request is of. What names none, or one
// of the sessions, is of the session.
func (m *Message) readRevision() *Error {
	m.revision = lastLegacy
	meta := m.Params.Get("_meta")
	if kind := meta.Kind(); kind != ordjson.Object && kind != ordjson.Missing && kind != ordjson.Null {
		return failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params._meta to be an object, found %s", kind)
	}
	version := meta.Get(mcp.MetaKeyProtocolVersion)
	switch named := version.Str(); {
	case version.Exists() && !version.Is(ordjson.String),
		!version.Exists() && m.names(mcp.MetaKeyClientCapabilities): // which no client of a session sends
		return lacksMeta(mcp.MetaKeyProtocolVersion)
	case !mcp.IsModernProtocol(named):
		return nil
	case named != firstModern:
		err := mcp.UnsupportedProtocolVersionError{Version: named, Supported: revisions}.JSONRPCError().Error
		return &err
	}
	m.revision = firstModern
	if !meta.Get(mcp.MetaKeyClientCapabilities).Is(ordjson.Object) {
		return lacksMeta(mcp.MetaKeyClientCapabilities)
	}
	return nil
}

// names says whether params._meta has a field.
func (m *Message) names(field string) bool { return m.Params.Get("_meta").Get(field).Exists() }

func lacksMeta(field string) *Error {
	return failure(mcp.INVALID_PARAMS, CodeBadParams, "params._meta.%s is missing or of a wrong type; revision %s "+
		"needs it in every request", field, firstModern)
}

// result is what the result of every request carries.
func (r *Request) result() mcp.Result {
	if !mcp.IsModernProtocol(r.revision) {
		return mcp.Result{}
	}
	result := mcp.Result{ResultType: mcp.ResultTypeComplete}
	result.EnsureResultMeta().SetServerInfo(r.surface.info())
	return result
}

// listsTTL is how long clients may keep what is said of the surface (decision
// "How long lists may be kept").
const listsTTL = time.Minute

// cacheable is what a result carries that may be kept for a while, for who asked.
func (r *Request) cacheable(ttl time.Duration) mcp.CacheableResult {
	result := mcp.CacheableResult{Result: r.result()}
	if mcp.IsModernProtocol(r.revision) {
		result.SetCacheHints(ttl.Milliseconds(), mcp.CacheScopePrivate)
	}
	return result
}

// encoded is the line of an answer with a result of the protocol.
func (r *Request) encoded(result any) ([][]byte, *Error) {
	return [][]byte{appendAnswer(nil, r.ID, result)}, nil
}

func (r *Request) initialize() ([][]byte, *Error) {
	var params mcp.InitializeParams
	if err := r.read(&params); err != nil {
		return nil, err
	}
	able := r.server.capabilities(r.surface)
	r.session.greeted(HelloOf(r.Params), able)
	return r.encoded(mcp.InitializeResult{
		ProtocolVersion: mcp.NegotiateLegacyVersion(params.ProtocolVersion),
		Capabilities:    able,
		ServerInfo:      r.surface.info(),
		Instructions:    r.surface.instructions,
	})
}

func (r *Request) ping() ([][]byte, *Error) { return r.encoded(mcp.EmptyResult{}) }

func (r *Request) discover() ([][]byte, *Error) {
	return r.encoded(mcp.DiscoverResult{
		CacheableResult:   r.cacheable(listsTTL),
		SupportedVersions: revisions,
		Capabilities:      r.server.capabilities(r.surface),
		Instructions:      r.surface.instructions,
	})
}

// list answers a request of a list. What it lists is encoded already.
func (r *Request) list() ([][]byte, *Error) {
	return r.page(r.surface.lists[r.Method], mcp.PaginatedResult{CacheableResult: r.cacheable(listsTTL)})
}

// page answers with the page of a list that the cursor of the request names.
func (r *Request) page(l *pages, result mcp.PaginatedResult) ([][]byte, *Error) {
	text, next, err := l.page(r.Params.Get("cursor"))
	if err != nil {
		return nil, err
	}
	result.NextCursor = next
	b := listing.Reopened(listing.AppendJSON(appendStart(nil, r.ID), result))
	b = append(ordjson.AppendKey(b, l.name), '[')
	return [][]byte{b, text, []byte("]}}\n")}, nil
}
