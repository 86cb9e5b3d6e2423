package serve

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// engine is the protocol library: which versions there are, what a server says
// about itself, which methods exist, what a result must carry in which
// version. It knows nothing of our tools.
type engine interface {
	// answer returns the result of a request, an object. For lists, tools/call
	// and resources/read that result is the frame that the list or the content
	// goes into, see framed.
	answer(ctx context.Context, method string, params ordjson.Value) (ordjson.Value, *rpcError)
}

// Methods that the session looks at itself.
const (
	methodToolsList     = "tools/list"
	methodToolsCall     = "tools/call"
	methodResourcesList = "resources/list"
	methodTemplatesList = "resources/templates/list"
	methodRead          = "resources/read"
	methodCancelled     = "notifications/cancelled"
	methodProgress      = "notifications/progress"
	methodListen        = "subscriptions/listen"
)

// listed are the members of a list's result that hold its entries.
var listed = map[string]string{methodToolsList: "tools", methodResourcesList: "resources", methodTemplatesList: "resourceTemplates"}

// framed appends the members of a frame but for those named, as an object left
// open for our own.
func framed(b []byte, frame ordjson.Value, but ...string) []byte {
	b = append(b, '{')
	for _, m := range frame.Members() {
		if slices.Contains(but, m.Key) {
			continue
		}
		b = ordjson.AppendKey(b, m.Key)
		b = ordjson.Append(b, m.Value)
		b = append(b, ',')
	}
	return b
}
