package resolve

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// ToolNames says how MCP tool names are made (decision "MCP tool names").
type ToolNames string

// The two ways: snake_case of routeName_namespace, which clients' users know
// from the field, and routeName_namespace as chapter 16 has it.
const (
	SnakeNames ToolNames = "snake"
	SpecNames  ToolNames = "spec"
)

// Limits of the length of an MCP tool name, in bytes. Claude Code counts
// mcp__server__tool up to 64 and Gemini takes 63; below MinMaxName nothing
// readable is left beside the hash.
const (
	DefaultMaxName = 63
	MinMaxName     = 16
)

// hashStep is how many hex digits of a hash a name gets; a second collision
// adds as many again.
const hashStep = 8

// wireTool is what the wire name of a tool is made of. No two have the same
// Spec-ID.
type wireTool struct {
	route, namespace string
	identity         string // unique text, the same in every run: what is hashed
}

// namer makes wire names.
type namer struct {
	style ToolNames
	max   int
}

// digits returns how many hex digits of a hash the wire names of tools have. All tools
// that would have one name get a hash suffix, not all but the first: else the file that
// comes first would own the plain name, and adding a file to the catalog could quietly
// make a name that a client has stored call another tool. For the same reason the
// result does not depend on the order of tools.
func (n namer) digits(count int, tool func(i int) wireTool) []uint8 {
	digits := make([]uint8, count)
	for i := range digits {
		if len(n.base(tool(i))) > n.max {
			digits[i] = hashStep
		}
	}
	// A suffixed name can meet one that is written so in a schema; each round
	// lengthens the hash of those that still collide. Hashes of 48 digits of
	// distinct texts do not.
	for again := true; again; {
		again = false
		for _, group := range equal(count, func(i int) string { return n.name(tool(i), digits[i]) }) {
			for _, i := range group {
				if int(digits[i])+hashStep < n.max && digits[i] < 6*hashStep {
					digits[i] += hashStep
					again = true
				}
			}
		}
	}
	return digits
}

// name is the wire name of a tool.
func (n namer) name(t wireTool, digits uint8) string {
	return n.suffixed(n.base(t), t.identity, int(digits))
}

// equal groups numbers that have one name, in their order. The names are made again
// when they are asked for: those of all tools of a large catalog would fill the memory.
func equal(count int, name func(i int) string) (groups [][]int) {
	type hashed struct {
		hash uint64
		at   int32
	}
	seed, all := maphash.MakeSeed(), make([]hashed, count)
	for i := range all {
		all[i] = hashed{maphash.String(seed, name(i)), int32(i)}
	}
	slices.SortFunc(all, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].hash == all[i].hash {
			end++
		}
		if same := all[i:end]; len(same) > 1 {
			byName := map[string][]int{}
			for _, h := range same {
				byName[name(int(h.at))] = append(byName[name(int(h.at))], int(h.at))
			}
			for _, group := range byName {
				if len(group) > 1 {
					groups = append(groups, group)
				}
			}
		}
		i = end
	}
	return groups
}

// suffixed ends base with digits hex digits of the hash of identity, cut so
// that the whole keeps to the limit.
func (n namer) suffixed(base, identity string, digits int) string {
	if digits == 0 {
		return base
	}
	sum := sha256.Sum256([]byte(identity))
	hash := hex.EncodeToString(sum[:])[:digits]
	if room := n.max - digits - 1; len(base) > room {
		base = strings.TrimRight(base[:room], "_-")
	}
	return base + "_" + hash
}

// base is the name that a tool wants: routeName_namespace.
func (n namer) base(t wireTool) string {
	parts := []string{t.route, t.namespace}
	for i, p := range parts {
		if n.style == SpecNames {
			parts[i] = cleanName(p)
		} else {
			parts[i] = SnakeCase(p)
		}
	}
	name := strings.Join(parts, "_")
	if isDigit(name[0]) || name[0] == '-' {
		// Gemini wants a letter or an underscore first.
		name = "_" + name
	}
	return name
}

// cleanName replaces what no client takes in a name.
func cleanName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (isLower(byte(r)) || isUpper(byte(r)) || isDigit(byte(r)) || r == '-') {
			return r
		}
		return '_'
	}, s)
}

// SnakeCase makes the name that the field's runtime makes (decision "MCP tool names"): an
// underscore between a lower-case letter or a digit and an upper-case letter
// (getAbi, erc20Token: get_abi, erc20_token), which keeps an acronym and the
// word after it together (getHTTPStatus: get_httpstatus); colons are dropped.
// Every other character that no client takes is an underscore, one for one:
// those of the schema stay, wherever they are (_ping: _ping).
func SnakeCase(s string) string {
	b := make([]byte, 0, len(s)+8)
	for i, r := range s {
		switch c := byte(r); {
		case r >= utf8.RuneSelf:
			b = append(b, '_')
		case isUpper(c):
			if i > 0 && (isLower(s[i-1]) || isDigit(s[i-1])) {
				b = append(b, '_')
			}
			b = append(b, c+'a'-'A')
		case isLower(c) || isDigit(c):
			b = append(b, c)
		case c != ':':
			b = append(b, '_')
		}
	}
	return string(b)
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
