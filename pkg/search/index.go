package search

import (
	"math"
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

// New makes the index of tools.
func New(docs []Doc) *Index {
	b := builder{
		Index: &Index{words: map[string]int{}, stems: map[string]bool{}, known: loadThesaurus()},
		stem:  stemmer{}, stop: stopwords().all, counts: make([]counts, len(docs)),
	}
	for i := range docs {
		b.ids = append(b.ids, docs[i].ID)
		b.add(&b.counts[i], &docs[i])
	}
	b.families.size = b.namespaces(docs)
	b.tools.size = len(docs)
	b.weigh()
	return b.Index
}

// builder counts the words of tools.
type builder struct {
	*Index
	stem   stemmer
	stop   map[string]bool
	counts []counts // of each tool
}

// counts are how often a tool has a stem in each field.
type counts struct {
	of     map[string]*[fields]float32
	length [fields]float32
}

func (b *builder) add(c *counts, d *Doc) {
	c.of = map[string]*[fields]float32{}
	b.field(c, inName, split(d.Name+" "+d.Resource))
	b.field(c, inHint, split(d.Hint))
	b.field(c, inDescription, split(d.Description))
	for field, texts := range map[int][]string{inAliases: d.Aliases, inTags: d.Tags, inParameters: d.Parameters} {
		for _, text := range texts {
			b.field(c, field, split(text))
		}
	}
}

func (b *builder) field(c *counts, field int, words []string) {
	for _, word := range words {
		if b.stop[word] {
			continue
		}
		b.words[word]++
		for _, term := range b.stem.of(word).both() {
			if c.of[term] == nil {
				c.of[term] = new([fields]float32)
			}
			c.of[term][field]++
		}
		c.length[field]++
	}
}

// namespaces says which of them each tool is of, and how many there are. Their
// names are taken apart, for which all words have to be known.
func (b *builder) namespaces(docs []Doc) int {
	for word := range b.words {
		for _, term := range b.stem.of(word).both() {
			b.stems[term] = true
		}
	}
	b.family = make([]int32, len(docs))
	number, parts := map[string]int32{}, map[string][]string{}
	for i := range docs {
		name := docs[i].Namespace
		if _, ok := number[name]; !ok {
			number[name] = int32(len(number))
			for _, word := range split(name) {
				parts[name] = append(append(parts[name], word), b.compound(b.stem, word)...)
			}
		}
		b.family[i] = number[name]
	}
	for i := range docs {
		b.field(&b.counts[i], inNamespace, parts[docs[i].Namespace])
	}
	return len(number)
}

// weigh makes the postings of the counts. A namespace has what its tools have:
// the more of them have it the more, but not so much more.
func (b *builder) weigh() {
	var average [fields]float64
	members := make([]float64, b.families.size)
	for i := range b.counts {
		members[b.family[i]]++
		for f, n := range b.counts[i].length {
			average[f] += float64(n) / float64(len(b.counts))
		}
	}
	b.tools.postings, b.families.postings = map[string][]posting{}, map[string][]posting{}
	for i := range b.counts {
		c, family := &b.counts[i], b.family[i]
		for term, in := range c.of {
			tf := 0.0
			for f, n := range in {
				if n > 0 {
					w := fieldWeights[f]
					length := min(maxLength, float64(c.length[f])/average[f])
					tf += w.weight * float64(n) / (1 - w.length + w.length*length)
				}
			}
			b.tools.put(term, int32(i), tf)
			b.families.put(term, family, tf/math.Sqrt(members[family]))
		}
	}
}

func (c *collection) put(term string, doc int32, weight float64) {
	list := c.postings[term]
	if n := len(list); n > 0 && list[n-1].doc == doc {
		list[n-1].weight += float32(weight)
		return
	}
	c.postings[term] = append(list, posting{doc, float32(weight)})
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
