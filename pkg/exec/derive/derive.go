package derive

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Merger gathers responses of one tool. The zero value is not ready for use.
type Merger struct {
	declared ordjson.Value // output as the source has it
	root     shape
	room     int
	text     bool // every string came as plain text
	png      bool // every string is the base64 of a PNG
}

// NewMerger starts with what the source has as the tool's output, Missing if it
// has none.
func NewMerger(declared ordjson.Value) *Merger {
	return &Merger{declared: declared, root: shape{declared: declared.Get("schema")}, room: maxShapes, text: true,
		png: true}
}

// Add notes the data of a response whose status is true. contentType is what
// the upstream called it, without parameters; "" where handlers made the data,
// or if it is not known.
func (m *Merger) Add(data ordjson.Value, contentType string) {
	if data.Is(ordjson.String) {
		m.text = m.text && (contentType == model.MIMEText || contentType == "text/csv")
		m.png = m.png && isPNG(data.Str())
	}
	m.root.add(data, 1, &m.room)
}

// pngStart is how the base64 of every PNG begins: its signature, but for the
// last bits, which share a character with what follows.
const pngStart = "iVBORw0KGg"

func isPNG(s string) bool { return strings.HasPrefix(s, pngStart) }

// Finding says what of the responses is not in the output, or what of the
// declared output the responses do not bear out.
type Finding struct {
	Pointer string // JSON pointer into the output: /schema/properties/price
	Message string
}

// Output is the output that describes all responses. It is Missing where
// chapter 04 has no words for them; the findings then say why.
func (m *Merger) Output() (ordjson.Value, []Finding) {
	b := &builder{}
	mime := m.mimeType(b)
	if mime == "" {
		return ordjson.Value{}, b.findings
	}
	schema := b.schema(&m.root, "/schema", 1, false)
	if mime == model.MIMEPNG {
		schema = schema.With("format", ordjson.NewString("base64"))
	}
	return ordjson.NewObject(ordjson.Field("mimeType", ordjson.NewString(mime)), ordjson.Field("schema", schema)),
		b.findings
}

// mimeType is that of the responses, "" if there is none (chapter 04,
// "Supported MIME-Types").
func (m *Merger) mimeType(b *builder) string {
	kind, one := m.root.only()
	switch {
	case !one:
		b.find("/schema", "the responses are %s: an output has one type, so none is derived; make them alike in a "+
			"postRequest handler", typeNames(m.root.kinds))
	case kind == ordjson.Object || kind == ordjson.Array:
		return model.MIMEJSON
	case kind == ordjson.String:
		if mime := m.declared.Get("mimeType").Str(); mime == model.MIMEText || mime == model.MIMEPNG {
			return mime
		}
		switch {
		case m.png:
			return model.MIMEPNG
		case m.text:
			return model.MIMEText
		}
		b.find("/schema", "the responses are strings that came as neither text nor PNG: JSON is described as object "+
			"or array only; wrap the string in an object in a postRequest handler, or write mimeType: 'text/plain' "+
			"yourself where the upstream sends text")
	case kind == ordjson.Missing:
		b.find("/schema", "the responses are null: they show no type")
	default:
		b.find("/schema", "the responses are of type %s: JSON is described as object or array only (chapter 04); wrap "+
			"it in an object in a postRequest handler", kind)
	}
	return ""
}

// typeNames lists the types of kinds, but for null: "object and string".
func typeNames(kinds uint8) string {
	var names []string
	for k := ordjson.Bool; k <= ordjson.Object; k++ {
		if kinds&(1<<k) != 0 {
			names = append(names, k.String())
		}
	}
	slices.Sort(names)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
