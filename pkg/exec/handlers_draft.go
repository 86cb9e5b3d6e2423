package exec

import (
	"net"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/words"
)

// held keeps back what is wrong with the draft of a request, by the part that a
// handler may make again.
type held struct {
	url, headers *words.Problem
	root         text           // the schema's own host, as a URL; nil where root names none
	rootErr      *words.Problem // … and why
}

// draft builds the request of a tool with handlers. Where that cannot be done,
// as handlers often make the URL themselves, what can is there, placeholders as
// written, and the errors are held back until the handlers had their say.
func draft(t *Tool, in Input) (*Request, *held, error) {
	b := builder{tool: t, in: in, req: newRequest(t), held: &held{}}
	req, err := b.build()
	return req, b.held, err
}

// hold keeps an error back, if that is what is to be done.
func (b *builder) hold(err error) error {
	e, ok := err.(*words.Problem)
	if !ok || b.held == nil {
		return err
	}
	if b.held.url == nil {
		b.held.url = e
	}
	return nil
}

// holdRoot is hold for an error in main.root.
func (b *builder) holdRoot(err error) error {
	if e, ok := err.(*words.Problem); ok && b.held != nil && b.held.rootErr == nil {
		b.held.rootErr = e
	}
	return b.hold(err)
}

// keepRoot notes the schema's own host, given the URL of its root. Where that
// names none, the root is shown as it is written.
func (b *builder) keepRoot(u *urlBuilder) {
	switch {
	case b.held == nil:
	case b.held.rootErr != nil:
		u.out, u.at = plainText(b.tool.Root), inPath
	default:
		b.held.root = slices.Clone(u.out)
		for i, p := range b.held.root {
			bare := strings.TrimPrefix(p.lit, scheme)
			if end := strings.IndexAny(bare, "/?"); end >= 0 {
				b.held.root = append(b.held.root[:i], piece{lit: p.lit[:len(p.lit)-len(bare)+end]})
				return
			}
		}
	}
}

// err is what is wrong where handlers fixed nothing.
func (h *held) err() error {
	switch {
	case h.url != nil:
		return h.url
	case h.headers != nil:
		return h.headers
	}
	return nil
}

// standsFor says whether a host is the schema's own. An open label of that is
// for a handler to fill in with one label: https://--chain--.example.com. What
// comes of it belongs to whom the root belongs to: with bucket.s3 in the place
// of two labels, a host of a provider is somebody else's.
func standsFor(own, hostPort string) bool {
	if own == hostPort || !strings.Contains(own, "--") {
		return own == hostPort
	}
	ownHost, ownPort, _ := net.SplitHostPort(own)
	host, port, _ := net.SplitHostPort(hostPort)
	labels, want := strings.Split(host, "."), strings.Split(ownHost, ".")
	if port != ownPort || len(labels) != len(want) || net.ParseIP(host) != nil {
		return false
	}
	for i, w := range want {
		if labels[i] != w && !(domain.IsOpen(w) && labels[i] != "" && fetch.IsHostText(labels[i])) {
			return false
		}
	}
	return domain.Of(host) == domain.Of(ownHost)
}
