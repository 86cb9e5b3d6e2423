package sharedlist

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Lists are the shared lists of one catalog. Lists of another catalog are out
// of reach (chapter 15, "Isolation Guarantees" 1): make one Lists for each.
type Lists struct {
	byName map[string]*List
	order  []*List
	names  []string // of order
	chosen map[choice][]string
	// Suggestions for what schemas ask for and the catalog does not have.
	speller words.Speller
}

// choice is a field of the entries of a list that the filter of a reference
// selects.
type choice struct {
	list   *List
	filter ordjson.Value
	field  string
}

// maxChosen is how many choices are remembered.
const maxChosen = 256

// values are Values of the entries that the filter selects. The parameters of a
// schema ask for the same few again and again.
func (ls *Lists) values(l *List, filter Filter, field string) []string {
	key := choice{l, filter.source, field}
	values, ok := ls.chosen[key]
	if !ok {
		if len(ls.chosen) >= maxChosen || ls.chosen == nil {
			ls.chosen = map[choice][]string{}
		}
		values = Values(filter.Select(l.Entries), field)
		ls.chosen[key] = values
	}
	return values
}

// Add adds a list. A second list of one name is LST002 and is not added: the
// two are a conflict whatever their versions (chapter 03, "Unique Names"). So is
// one without a name, which nobody could refer to.
func (ls *Lists) Add(l *List) *catalog.Problem {
	if l.Name == "" {
		return l.noName()
	}
	if first := ls.byName[l.Name]; first != nil {
		return &catalog.Problem{
			Code: "LST002",
			Message: "list " + catalog.Quote(l.Name) + " version " + l.Version + " (" + l.Src.File() + ") has the name of version " +
				first.Version + " in " + first.Src.File() + ", which is used",
			Fix: "rename one of the two, or remove it", Pointer: "/meta/name",
		}
	}
	if ls.byName == nil {
		ls.byName = map[string]*List{}
	}
	ls.byName[l.Name] = l
	ls.order, ls.names = append(ls.order, l), append(ls.names, l.Name)
	return nil
}

// Lookup returns the list of a name, or nil.
func (ls *Lists) Lookup(name string) *List { return ls.byName[name] }

// All returns the lists in the order in which they were added.
func (ls *Lists) All() []*List { return ls.order }

// Names are those of the lists, in order; nobody must change them.
func (ls *Lists) Names() []string { return ls.names }

// Resolve returns the list that a schema refers to, or what keeps the schema
// from it: VAL070, VAL071 (the reference is malformed), VAL072 (no such list,
// or one that cannot be used), VAL073 (version), VAL074 (filter).
func (ls *Lists) Resolve(ref model.ListRef) (*List, *catalog.Problem) {
	at := func(key, code, msg, fix string) *catalog.Problem {
		return &catalog.Problem{Code: code, Message: msg, Fix: fix, Pointer: ref.At(key).Pointer()}
	}
	if ref.Ref == "" {
		return nil, &catalog.Problem{Code: "VAL070", Message: "sharedLists entry names no list: ref is " + ref.Get("ref").Kind().String() + ", expected a string",
			Fix: "write { ref: 'evmChains', version: '1.0.0' }", Pointer: ref.Pointer()}
	}
	if _, ok := parseVersion(ref.Version); !ok {
		return nil, at("version", "VAL071", "sharedLists reference to "+catalog.Quote(ref.Ref)+" has version "+catalog.Quote(ref.Version)+", expected MAJOR.MINOR.PATCH",
			`write a version such as "1.0.0"`)
	}
	key := "ref"
	if ref.Legacy && !ref.At("ref").Exists() {
		key = "name"
	}
	l := ls.Lookup(ref.Ref)
	switch {
	case l == nil:
		return nil, at(key, "VAL072", "there is no list "+catalog.Quote(ref.Ref)+" in the catalog"+ls.speller.DidYouMean(ref.Ref, ls.names),
			"add the list to _lists/, or correct the reference")
	case l.Broken != nil:
		return nil, at(key, "VAL072", "list "+catalog.Quote(ref.Ref)+" ("+l.Src.File()+") cannot be used: "+l.Broken.Code+": "+l.Broken.Message,
			"mend the list first")
	case !compatible(l.Version, ref.Version):
		return nil, at("version", "VAL073", "the schema asks for version "+ref.Version+" of list "+catalog.Quote(ref.Ref)+", "+l.Src.File()+" has "+l.Version,
			"update the reference to "+l.Version+" and check the fields it uses")
	}
	f, p := NewFilter(ref)
	if p == nil && f.Key != "" && !l.HasField(f.Key) {
		p = l.unknownField("VAL074", f.Key, &ls.speller)
		p.Pointer = ref.At("filter").Pointer()
	}
	if p != nil {
		return nil, p
	}
	return l, nil
}
