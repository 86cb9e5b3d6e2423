package derive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// keywords are those of chapter 04, in the order of its examples.
var keywords = []string{"type", "description", "nullable", "enum", "format", "properties", "items"}

// builder makes schemas of shapes.
type builder struct{ findings []Finding }

func (b *builder) find(pointer, format string, args ...any) {
	b.findings = append(b.findings, Finding{pointer, fmt.Sprintf(format, args...)})
}

// schema describes a shape, after what the source declares of it: its keywords
// stay in their order, so that a patch changes no more than it has to. The
// result is Missing where chapter 04 has no words for the shape. named says
// that it is a property: a new one has an empty description (chapter 10, "Step
// 5"), for the author to fill in.
func (b *builder) schema(s *shape, pointer string, depth int, named bool) ordjson.Value {
	typ := b.typeOf(s, pointer)
	if typ == "" {
		return ordjson.Value{}
	}
	var members []ordjson.Member
	for _, key := range b.order(s.declared, pointer) {
		if v := b.keyword(key, s, typ, pointer, depth); v.Exists() {
			members = append(members, ordjson.Field(key, v))
		} else if key == "description" && named && !s.declared.Exists() {
			members = append(members, ordjson.Field(key, ordjson.NewString("")))
		}
	}
	return ordjson.NewObject(members...)
}

// order lists the keywords of a schema: those declared, then the others.
func (b *builder) order(declared ordjson.Value, pointer string) []string {
	list := make([]string, 0, len(keywords))
	for _, m := range declared.Members() {
		if slices.Contains(keywords, m.Key) {
			list = append(list, m.Key)
			continue
		}
		b.find(string(ordjson.AppendPointer([]byte(pointer), m.Key)),
			"the keyword %s is left out: output schemas do not have it (chapter 04)", words.Quote(m.Key))
	}
	for _, key := range keywords {
		if !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}

// typeOf is the type of a shape, "" if it has none that is known.
func (b *builder) typeOf(s *shape, pointer string) string {
	declared := s.declared.Get("type").Str()
	if declared == "integer" { // the field's word for it
		declared = "number"
	}
	kind, one := s.only()
	switch {
	case !one:
		b.find(pointer, "left out: the responses have %s here, and there are no union types (chapter 04)",
			typeNames(s.kinds))
		return ""
	case kind == ordjson.Missing && slices.Contains(model.OutputTypes, declared):
		return declared
	case kind == ordjson.Missing:
		b.find(pointer, "left out: it is null in all responses, which shows no type")
		return ""
	}
	if is := kind.String(); declared != "" && declared != is {
		b.find(pointer, "declared as %s, but the responses have %s", declared, is)
	}
	return kind.String()
}

// keyword is the value of one keyword, Missing where the schema goes without.
func (b *builder) keyword(key string, s *shape, typ, pointer string, depth int) ordjson.Value {
	declared := s.declared.Get(key)
	switch key {
	case "type":
		return ordjson.NewString(typ)
	case "description":
		if declared.Is(ordjson.String) {
			return declared
		}
	case "format":
		if declared.Is(ordjson.String) && typ == "string" {
			return declared
		}
	case "nullable":
		if s.kinds&null != 0 {
			return ordjson.NewBool(true)
		}
		if declared.Is(ordjson.Bool) {
			return declared
		}
	case "enum":
		return b.enum(s, declared, typ, pointer)
	case "properties":
		if typ == "object" {
			return b.properties(s, pointer, depth)
		}
	case "items":
		if typ == "array" {
			return b.items(s, pointer, depth)
		}
	}
	return ordjson.Value{}
}

// enum keeps the enum that is declared as long as all values are in it, and are
// of the type. None is ever made: that the responses had three values does not
// say that there are only three.
func (b *builder) enum(s *shape, declared ordjson.Value, typ, pointer string) ordjson.Value {
	pointer += "/enum"
	nullable := s.kinds&null != 0 || s.declared.Get("nullable").True()
	switch i := model.StrayInEnum(declared, typ, nullable); {
	case !declared.Is(ordjson.Array):
	case declared.Len() == 0:
		b.find(pointer, "left out: it lists no value")
	case i >= 0:
		b.find(pointer, "left out: %s is no value of type %s", words.Brief(ordjson.Text(declared.Elems()[i])), typ)
	case s.stray != "":
		b.find(pointer, "left out: the responses have %s, which is not in it", words.Brief(s.stray))
	default:
		return declared
	}
	return ordjson.Value{}
}

func (b *builder) properties(s *shape, pointer string, depth int) ordjson.Value {
	pointer += "/properties"
	if depth == model.MaxOutputDepth {
		b.tooDeep(s, s.declared.Get("properties"), pointer)
		return ordjson.Value{}
	}
	var members []ordjson.Member
	add := func(key string, p *shape) {
		at := string(ordjson.AppendPointer([]byte(pointer), key))
		switch {
		case key == "__proto__":
			b.find(at, "left out: in JavaScript this key sets the prototype and is not a property")
		case strings.Contains(key, "[REDACTED:"):
			b.find(at, "left out: a server parameter is part of the key")
		default:
			if v := b.schema(p, at, depth+1, true); v.Exists() {
				members = append(members, ordjson.Field(key, v))
			}
		}
	}
	for _, m := range s.declared.Get("properties").Members() {
		p := s.props[m.Key]
		if p == nil {
			if p = (&property{shape: shape{declared: m.Value}}); s.objects > 0 {
				b.find(string(ordjson.AppendPointer([]byte(pointer), m.Key)),
					"declared, but in no response: kept as it is")
			}
		}
		add(m.Key, &p.shape)
	}
	if s.dataForKeys() {
		b.find(pointer, "the keys are data (%s): none is described that is not declared", b.examples(s))
	} else {
		for _, key := range s.keys {
			if p := s.props[key]; !p.declared.Exists() {
				add(key, &p.shape)
			}
		}
	}
	if len(members) == 0 {
		if s.kinds != 0 && s.objects == 0 {
			b.find(pointer, "left out: the objects in the responses are all empty")
		}
		return ordjson.Value{}
	}
	return ordjson.NewObject(members...)
}

// examples names the first keys of a shape.
func (b *builder) examples(s *shape) string {
	var list []string
	for _, key := range s.keys[:min(3, len(s.keys))] {
		list = append(list, words.Brief(ordjson.Text(ordjson.NewString(key))))
	}
	return strings.Join(list, ", ") + ", …"
}

func (b *builder) items(s *shape, pointer string, depth int) ordjson.Value {
	pointer += "/items"
	declared := s.declared.Get("items")
	if depth == model.MaxOutputDepth {
		b.tooDeep(s, declared, pointer)
		return ordjson.Value{}
	}
	items := s.items
	if items == nil {
		if !declared.Exists() {
			b.find(pointer, "left out: the arrays in the responses are all empty")
			return ordjson.Value{}
		}
		items = &shape{declared: declared}
	}
	return b.schema(items, pointer, depth+1, false)
}

// tooDeep reports what is not described because it is below the last level.
func (b *builder) tooDeep(s *shape, declared ordjson.Value, pointer string) {
	if s.deeper || declared.Len() > 0 {
		b.find(pointer, "left out: an output has at most %d levels (chapter 04, VAL063); flatten the data in a "+
			"postRequest handler to describe more", model.MaxOutputDepth)
	}
}
