package forbidden

import (
	"slices"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/module"
)

// maxReadings bounds the other readings that are followed. Honest code has none,
// or a few; where there are more, what is left unread is reported (LOD012).
const maxReadings = 32

// reading is another reading of a source: whether a slash starts a regular
// expression or divides cannot always be known without a full parser, and who
// gets it wrong takes code for text.
type reading struct {
	regex bool  // its last slash starts a regular expression
	flips []int // the slashes that it reads the other way, in order
}

func (r reading) last() int { return r.flips[len(r.flips)-1] }

// readings are those that are still to be followed or have been.
type readings struct {
	list    []reading
	unclear int // the first slash that was one too many, or -1
}

// add notes the readings of the doubtful slashes of a scan that comes of one
// with other flips.
func (r *readings) add(s *scan, flips []int) {
	for _, i := range s.doubts {
		at := int(s.List[i].Start)
		if len(flips) > 0 && at <= flips[len(flips)-1] {
			continue
		}
		next := reading{s.Kind(i) != module.Regex, append(slices.Clip(flips), at)}
		switch {
		case slices.ContainsFunc(r.list, func(o reading) bool { return o.last() == at && o.regex == next.regex }):
		case len(r.list) < maxReadings:
			r.list = append(r.list, next)
		case r.unclear < 0:
			r.unclear = at
		}
	}
}

// otherReadings follows the other readings of a source and adds what they find
// to found. The wrong reading of a source soon ends in an unclosed string or
// bracket, so only one that is JavaScript to the end counts.
func otherReadings(first *scan, found []Finding) []Finding {
	all := readings{unclear: -1}
	all.add(first, nil)
	for i := 0; i < len(all.list); i++ {
		r := all.list[i]
		s := scan{Tokens: module.Tokenize(first.Src, r.flips...), list: first.list, export: first.export}
		if s.Err != nil {
			continue
		}
		s.run()
		for _, f := range s.out {
			same := func(o Finding) bool { return f.Start == o.Start && f.Code == o.Code }
			if f.Start >= r.last() && !slices.ContainsFunc(found, same) {
				found = append(found, f)
			}
		}
		all.add(&s, r.flips)
	}
	if all.unclear >= 0 {
		found = append(found, Finding{
			Code: "LOD012", Start: all.unclear, End: all.unclear + 1,
			Msg: "more than " + strconv.Itoa(maxReadings) + " slashes up to this one may each divide or start " +
				"a regular expression: what is code is not certain",
		})
	}
	return found
}
