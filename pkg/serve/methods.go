package serve

import (
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
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

// method says which revisions have a method and who answers it.
type method struct {
	since, until string // "" for no bound
	answer       func(*session, message) *rpcError
	lacking      func(*Server) *rpcError // why this server does not answer it; nil where every server does
}

// methods are those of MCP. What is missing here does not exist.
var methods = map[mcp.MCPMethod]method{
	mcp.MethodInitialize:             {until: lastLegacy, answer: (*session).initialize},
	mcp.MethodPing:                   {until: lastLegacy, answer: (*session).ping},
	mcp.MethodServerDiscover:         {since: firstModern, answer: (*session).discover},
	mcp.MethodToolsList:              {answer: (*session).list},
	mcp.MethodToolsCall:              {answer: (*session).startCall},
	mcp.MethodResourcesList:          {answer: (*session).list, lacking: needsResources},
	mcp.MethodResourcesTemplatesList: {answer: (*session).list, lacking: needsResources},
	mcp.MethodResourcesRead:          {answer: (*session).startRead, lacking: needsResources},
	mcp.MethodResourcesSubscribe:     {until: lastLegacy, lacking: never("resources subscribe")},
	mcp.MethodResourcesUnsubscribe:   {until: lastLegacy, lacking: never("resources unsubscribe")},
	mcp.MethodSubscriptionsListen:    {since: firstModern, lacking: neverListens},
	mcp.MethodPromptsList:            {answer: (*session).list, lacking: needsPrompts},
	mcp.MethodPromptsGet:             {answer: (*session).startGet, lacking: needsPrompts},
	mcp.MethodCompletionComplete:     {lacking: never("completions")},
	mcp.MethodSetLogLevel:            {until: lastLegacy, lacking: never("logging")},
}

func never(feature string) func(*Server) *rpcError {
	return func(*Server) *rpcError { return noMethod("%s not supported", feature) }
}

func needsResources(s *Server) *rpcError {
	if len(s.uris) == 0 {
		return noMethod("resources not supported")
	}
	return nil
}

func needsPrompts(s *Server) *rpcError {
	if len(s.prompts) == 0 {
		return noMethod("prompts not supported")
	}
	return nil
}

func neverListens(*Server) *rpcError {
	return failure(mcp.METHOD_NOT_FOUND, CodeNotOffered, "%s is not offered: the tools of this server do not change",
		mcp.MethodSubscriptionsListen)
}

func noMethod(format string, args ...any) *rpcError {
	return &rpcError{Code: mcp.METHOD_NOT_FOUND, Message: fmt.Sprintf(format, args...)}
}

// answer answers a request, starts the call that will, or says why there is no
// answer.
func (c *session) answer(m message) *rpcError {
	if err := m.readRevision(); err != nil {
		return err
	}
	how, ok := methods[m.method]
	switch {
	case !ok:
		return noMethod("Method %s not found", m.method)
	case m.revision < how.since:
		return noMethod("%q requires protocol version %s or later", m.method, how.since)
	case how.until != "" && m.revision > how.until:
		return noMethod("%q was removed in protocol version %s", m.method, firstModern)
	case how.lacking != nil:
		if err := how.lacking(c.Server); err != nil {
			return err
		}
	}
	return how.answer(c, m)
}

// readRevision finds the revision that a request is of. What names none, or one
// of the sessions, is of the session.
func (m *message) readRevision() *rpcError {
	m.revision = lastLegacy
	meta := m.params.Get("_meta")
	if kind := meta.Kind(); kind != ordjson.Object && kind != ordjson.Missing && kind != ordjson.Null {
		return failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params._meta to be an object, found %s", kind)
	}
	named := meta.Get(mcp.MetaKeyProtocolVersion).Str()
	if !mcp.IsModernProtocol(named) {
		return nil
	}
	if m.revision = named; !meta.Get(mcp.MetaKeyClientCapabilities).Is(ordjson.Object) {
		return &rpcError{Code: mcp.INVALID_PARAMS, Message: "missing or invalid _meta field " +
			mcp.MetaKeyClientCapabilities}
	}
	if named != firstModern {
		err := mcp.UnsupportedProtocolVersionError{Version: named, Supported: revisions}.JSONRPCError().Error
		return &err
	}
	return nil
}

// result is what the result of every request carries.
func (s *Server) result(m message) mcp.Result {
	if !mcp.IsModernProtocol(m.revision) {
		return mcp.Result{}
	}
	r := mcp.Result{ResultType: mcp.ResultTypeComplete}
	r.EnsureResultMeta().SetServerInfo(s.info())
	return r
}

// cacheable is what a result carries that may not be kept, neither by the
// client nor for others.
func (s *Server) cacheable(m message) mcp.CacheableResult {
	r := mcp.CacheableResult{Result: s.result(m)}
	if mcp.IsModernProtocol(m.revision) {
		r.SetCacheHints(0, mcp.CacheScopePrivate)
	}
	return r
}

func (s *Server) info() mcp.Implementation {
	return mcp.Implementation{Name: s.opts.Name, Version: s.opts.Version}
}

func (s *Server) capabilities() (c mcp.ServerCapabilities) {
	c.Tools = &struct {
		ListChanged bool `json:"listChanged,omitempty"`
	}{}
	if len(s.uris) > 0 {
		c.Resources = &struct {
			Subscribe   bool `json:"subscribe,omitempty"`
			ListChanged bool `json:"listChanged,omitempty"`
		}{}
	}
	if len(s.prompts) > 0 {
		c.Prompts = &struct {
			ListChanged bool `json:"listChanged,omitempty"`
		}{}
	}
	return c
}

func (c *session) initialize(m message) *rpcError {
	var params mcp.InitializeParams
	if err := m.read(&params); err != nil {
		return err
	}
	c.reply(m, mcp.InitializeResult{
		ProtocolVersion: mcp.NegotiateLegacyVersion(params.ProtocolVersion),
		Capabilities:    c.capabilities(),
		ServerInfo:      c.info(),
		Instructions:    c.opts.Instructions,
	})
	return nil
}

func (c *session) ping(m message) *rpcError {
	c.reply(m, mcp.EmptyResult{})
	return nil
}

func (c *session) discover(m message) *rpcError {
	c.reply(m, mcp.DiscoverResult{
		CacheableResult:   c.cacheable(m),
		SupportedVersions: revisions,
		Capabilities:      c.capabilities(),
		Instructions:      c.opts.Instructions,
	})
	return nil
}
