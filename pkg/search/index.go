package search

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"strings"
)

// The fields of a tool, how much a word in them counts, and by how much less it
// does in a long field.
const (
	inName = iota
	inAliases
	inHint
	inNamespace
	inTags
	inDescription
	inParameters
	fields
)

var fieldWeights = [fields]struct{ weight, length float64 }{
	inName:        {2.4, 0.5},
	inAliases:     {2.4, 0.5},
	inHint:        {2.4, 0.3},
	inNamespace:   {1.2, 0.3},
	inTags:        {2.4, 0.3},
	inDescription: {1.1, 0.4},
	inParameters:  {0.4, 0.5},
}

const (
	saturation = 1.2 // k1 of BM25
	maxLength  = 1.2 // of a field, by the average: longer ones are no worse
)

// posting is how much of a term a document has, all fields together.
type posting struct {
	doc    int32
	weight float32
}

// collection is what is ranked: tools, or namespaces.
type collection struct {
	size     int
	postings map[string][]posting // by stem
}

// Index finds tools. It may be used concurrently.
type Index struct {
	ids      []string // of the tools
	tools    collection
	families collection
	family   []int32         // the namespace of each tool
	words    map[string]int  // of the tools, and how often they have them
	stems    map[string]bool // of these words
	known    *thesaurus
}

// New makes the index of tools. None of them is held.
func New(docs iter.Seq[Doc]) *Index {
	b := builder{
		Index: &Index{words: map[string]int{}, stems: map[string]bool{}, known: loadThesaurus()},
		stem:  stemmer{}, stop: stopwords().all, numbers: map[string]int{}, spaces: map[string]int{},
	}
	for d := range docs {
		b.ids = append(b.ids, d.ID)
		b.add(&d)
	}
	b.namespaces()
	b.weigh()
	return b.Index
}

// builder counts the words of tools.
type builder struct {
	*Index
	stem    stemmer
	stop    map[string]bool
	numbers map[string]int // of the stems
	texts   []string       // the stems, by their numbers
	spaces  map[string]int // numbers of the namespaces
	names   []space        // the namespaces, by their numbers
	counts  []tool

	in counted // how often the tool that is added has a stem in each field, by number
}

// counted are how often a tool has a stem in each field, by the number of the stem.
type counted map[int]*[fields]float32

// tool is what has been counted of one. Half a million are held until all are known.
type tool struct {
	packed []byte // see pack
	length [fields]float32
}

// space is a namespace.
type space struct {
	members int
	stems   []int // of its name, by their numbers
	length  int   // words of its name
}

func (b *builder) add(d *Doc) {
	var t tool
	b.in = counted{}
	b.field(&t, inName, split(d.Name+" "+d.Resource))
	b.field(&t, inHint, split(d.Hint))
	b.field(&t, inDescription, split(d.Description))
	for field, texts := range map[int][]string{inAliases: d.Aliases, inTags: d.Tags, inParameters: d.Parameters} {
		for _, text := range texts {
			b.field(&t, field, split(text))
		}
	}
	t.packed = b.in.pack()
	b.counts = append(b.counts, t)
	number, ok := b.spaces[d.Namespace]
	if !ok {
		number = len(b.names)
		b.spaces[strings.Clone(d.Namespace)] = number // else it would hold the record of the tool
		b.names = append(b.names, space{})
	}
	b.family = append(b.family, int32(number))
	b.names[number].members++
}

func (b *builder) field(t *tool, field int, words []string) {
	for _, word := range words {
		if b.stop[word] {
			continue
		}
		b.words[word]++
		for _, term := range b.stem.of(word).both() {
			b.in.of(b.number(term))[field]++
		}
		t.length[field]++
	}
}

// number is that of a stem.
func (b *builder) number(stem string) int {
	n, ok := b.numbers[stem]
	if !ok {
		n = len(b.texts)
		b.numbers[stem], b.texts = n, append(b.texts, stem)
	}
	return n
}

func (c counted) of(number int) *[fields]float32 {
	if c[number] == nil {
		c[number] = new([fields]float32)
	}
	return c[number]
}

// pack is what was counted in few bytes: for each stem its number, a bit for each field
// that has it, and how often these do.
func (c counted) pack() []byte {
	b := make([]byte, 0, 8*len(c))
	for number, in := range c {
		b = binary.AppendUvarint(b, uint64(number))
		bits := len(b)
		b = append(b, 0)
		for f, n := range in {
			if n > 0 {
				b[bits] |= 1 << f
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
	}
	return bytes.Clone(b)
}

// unpack calls do with what was packed.
func unpack(b []byte, do func(number int, in *[fields]float32)) {
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		var in [fields]float32
		number, bits := next(), b[0]
		b = b[1:]
		for f := range in {
			if bits&(1<<f) != 0 {
				in[f] = float32(next())
			}
		}
		do(int(number), &in)
	}
}

// namespaces counts the words of the names of namespaces as words of all of their
// tools. The names are taken apart, for which all words have to be known.
func (b *builder) namespaces() {
	for word := range b.words {
		for _, term := range b.stem.of(word).both() {
			b.stems[term] = true
		}
	}
	parts := make([][]string, len(b.names))
	for name, i := range b.spaces {
		for _, word := range split(name) {
			parts[i] = append(append(parts[i], word), b.compound(b.stem, word)...)
		}
	}
	for i, words := range parts {
		s := &b.names[i]
		for _, word := range words {
			if b.stop[word] {
				continue
			}
			b.words[word] += s.members
			s.length++
			for _, term := range b.stem.of(word).both() {
				s.stems = append(s.stems, b.number(term))
			}
		}
	}
}

// weigh makes the postings of what was counted. A namespace has what its tools have:
// the more of them have it the more, but not so much more.
func (b *builder) weigh() {
	average := b.average()
	tools, families := make([][]posting, len(b.texts)), make([][]posting, len(b.texts))
	for i := range b.counts {
		t, family := &b.counts[i], b.family[i]
		name := &b.names[family]
		put := func(number int, in *[fields]float32) {
			tf := 0.0
			for f, n := range in {
				if n > 0 {
					w := fieldWeights[f]
					length := min(maxLength, float64(t.length[f])/average[f])
					tf += w.weight * float64(n) / (1 - w.length + w.length*length)
				}
			}
			tools[number] = put(tools[number], int32(i), tf)
			families[number] = put(families[number], family, tf/math.Sqrt(float64(name.members)))
		}
		all := counted{}
		for _, number := range name.stems {
			all.of(number)[inNamespace]++
		}
		unpack(t.packed, func(number int, in *[fields]float32) {
			if own := all[number]; own != nil {
				in[inNamespace] = own[inNamespace]
				delete(all, number)
			}
			put(number, in)
		})
		for number, in := range all {
			put(number, in)
		}
		t.packed = nil
	}
	b.tools = collection{len(b.counts), b.byText(tools)}
	b.families = collection{len(b.names), b.byText(families)}
}

// average is the average length of each field.
func (b *builder) average() (average [fields]float64) {
	for i := range b.counts {
		t := &b.counts[i]
		t.length[inNamespace] = float32(b.names[b.family[i]].length)
		for f, n := range t.length {
			average[f] += float64(n) / float64(len(b.counts))
		}
	}
	return average
}

func (b *builder) byText(lists [][]posting) map[string][]posting {
	postings := make(map[string][]posting, len(lists))
	for number, list := range lists {
		postings[b.texts[number]] = list
	}
	return postings
}

func put(list []posting, doc int32, weight float64) []posting {
	if n := len(list); n > 0 && list[n-1].doc == doc {
		list[n-1].weight += float32(weight)
		return list
	}
	return append(list, posting{doc, float32(weight)})
}

// score sets the scores of the documents that have one of several words. The more
// of them have one, whichever it is, the less that tells: else a rare synonym would
// count for more than what was asked for.
func (c *collection) score(alternatives []alternative, scores []float64) {
	held, n := make([]float64, c.size), 0.0
	for _, a := range alternatives {
		for _, term := range a.terms {
			for _, p := range c.postings[term] {
				if held[p.doc] == 0 {
					n++
				}
				tf := float64(p.weight)
				held[p.doc] = max(held[p.doc], a.weight*tf*(saturation+1)/(tf+saturation))
			}
		}
	}
	telling := math.Log(1 + (float64(c.size)-n+0.5)/(n+0.5))
	for i, h := range held {
		scores[i] = max(scores[i], h*telling)
	}
}
