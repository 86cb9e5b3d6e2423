package ordjson

import (
	"slices"
	"strconv"
)

// ScriptObject makes an object of members as they are in a JavaScript source:
// of equal keys the last value wins at the place of the first, and integer-like
// keys move to the front in ascending order. It keeps members.
func ScriptObject(members []Member) Value {
	members = lastWins(members)
	for i := range members {
		if _, ok := arrayIndex(members[i].Key); ok {
			slices.SortStableFunc(members, compareIndexKeys)
			break
		}
	}
	return NewObject(members...)
}

// mapFrom is the size from which on a map finds equal keys faster than
// comparing each key with those before it.
const mapFrom = 24

func lastWins(members []Member) []Member {
	if len(members) > mapFrom || hasTwins(members) {
		return lastWinsMap(members)
	}
	return members
}

// hasTwins reports whether two members have one key, which is rare.
func hasTwins(members []Member) bool {
	for i := 1; i < len(members); i++ {
		key := members[i].Key
		for j := range members[:i] {
			if members[j].Key == key {
				return true
			}
		}
	}
	return false
}

func lastWinsMap(members []Member) []Member {
	seen := make(map[string]int, len(members))
	out := members[:0]
	for _, m := range members {
		if i, ok := seen[m.Key]; ok {
			out[i].Value, out[i].KeyPos = m.Value, m.KeyPos
			continue
		}
		seen[m.Key] = len(out)
		out = append(out, m)
	}
	return out
}

// arrayIndex reports whether key is what ECMAScript calls an array index, the
// canonical text of an integer below 2³²-1, and which.
func arrayIndex(key string) (uint64, bool) {
	if key == "" || len(key) > 10 || key[0] < '0' || key[0] > '9' || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	return n, err == nil && n < 1<<32-1
}

func compareIndexKeys(a, b Member) int {
	x, xok := arrayIndex(a.Key)
	y, yok := arrayIndex(b.Key)
	switch {
	case xok && yok && x != y:
		if x < y {
			return -1
		}
		return 1
	case xok == yok:
		return 0
	case xok:
		return -1
	}
	return 1
}
