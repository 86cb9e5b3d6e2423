package resolve

import (
	"crypto/sha256"
	"encoding/hex"
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

// names returns the wire names of tools. All tools that would have one name get
// a hash suffix, not all but the first: else the file that comes first would
// own the plain name, and adding a file to the catalog could quietly make a
// name that a client has stored call another tool. For the same reason the
// result does not depend on the order of tools. base are the names that were
// wanted.
func (n namer) names(tools []wireTool) (names, base []string) {
	base = make([]string, len(tools))
	for i, t := range tools {
		base[i] = n.base(t)
	}
	digits := make([]int, len(tools))
	names = make([]string, len(tools))
	for i := range tools {
		if len(base[i]) > n.max {
			digits[i] = hashStep
		}
	}
	// A suffixed name can meet one that is written so in a schema; each round
	// lengthens the hash of those that still collide. Hashes of 48 digits of
	// distinct texts do not.
	for again := true; again; {
		again = false
		taken := make(map[string][]int, len(tools))
		for i, t := range tools {
			names[i] = n.suffixed(base[i], t.identity, digits[i])
			taken[names[i]] = append(taken[names[i]], i)
		}
		for _, group := range taken {
			for _, i := range group {
				if len(group) > 1 && digits[i]+hashStep < n.max && digits[i] < 6*hashStep {
					digits[i] += hashStep
					again = true
				}
			}
		}
	}
	return names, base
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
