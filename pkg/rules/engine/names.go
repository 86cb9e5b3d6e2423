package engine

import (
	"strings"
	"unicode/utf8"
)

// Matchers of the name patterns, by hand: they run for every field of every
// schema.

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Each reports whether s is not empty, its first byte is of head, and all
// others are of tail.
func Each(s string, head, tail func(byte) bool) bool {
	if s == "" || !head(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !tail(s[i]) {
			return false
		}
	}
	return true
}

func IsAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

// IsLetters matches ^[a-z]+$, the namespace of version 2.
func IsLetters(s string) bool { return Each(s, isLower, isLower) }

// IsCamel matches ^[a-z][a-zA-Z0-9]*$.
func IsCamel(s string) bool { return Each(s, isLower, IsAlnum) }

// IsPascal matches ^[A-Z][a-zA-Z0-9]*$.
func IsPascal(s string) bool { return Each(s, isUpper, IsAlnum) }

// IsVariable matches ^[A-Za-z_][A-Za-z0-9_]*$, a variable that a shell can set.
func IsVariable(s string) bool {
	letter := func(c byte) bool { return c == '_' || isLower(c) || isUpper(c) }
	return Each(s, letter, func(c byte) bool { return letter(c) || isDigit(c) })
}

// IsSemver matches ^\d+\.\d+\.\d+$.
func IsSemver(s string) bool {
	dots, digits := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i] == '.' && digits > 0:
			dots, digits = dots+1, 0
		default:
			return false
		}
	}
	return dots == 2 && digits > 0
}

// ToSemver is the version of three numbers that a text means, such as v1.2; "" where
// it means none.
func ToSemver(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), "vV")
	for range 2 {
		if IsSemver(s) {
			return s
		}
		s += ".0"
	}
	if IsSemver(s) {
		return s
	}
	return ""
}

// IsHash8 matches ^[0-9a-f]{8}$.
func IsHash8(s string) bool {
	hex := func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }
	return len(s) == 8 && Each(s, hex, hex)
}

// PartsOf splits a name of any style: "GetABI_v2 now" gives Get, ABI, v2, now.
func PartsOf(s string) []string {
	var list []string
	start := -1
	for i := 0; i <= len(s); i++ {
		inWord := i < len(s) && IsAlnum(s[i])
		if start >= 0 && (!inWord || isUpper(s[i]) && !isUpper(s[i-1])) {
			list = append(list, s[start:i])
			start = -1
		}
		if inWord && start < 0 {
			start = i
		}
	}
	return list
}

// ToKebab writes a name of any style in lower case with hyphens.
func ToKebab(s string) string { return strings.ToLower(strings.Join(PartsOf(s), "-")) }

// ToNamespace proposes a namespace for a name that is none, "" where nothing
// of it can be kept.
func ToNamespace(s string) string { return strings.TrimLeft(ToKebab(s), "0123456789-") }

// ToCamel proposes a camelCase name, "" where nothing of it can be kept.
func ToCamel(s string) string {
	var b strings.Builder
	for _, w := range PartsOf(strings.TrimLeft(s, "0123456789")) {
		if b.Len() == 0 {
			b.WriteString(strings.ToLower(w))
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// camelOf is ToCamel for a name of which no letter is lost: "" for "getPreïs".
func camelOf(s string) string {
	if utf8.RuneCountInString(s) != len(s) {
		return ""
	}
	return ToCamel(s)
}

// ToPascal proposes a PascalCase name, "" where nothing of it can be kept.
func ToPascal(s string) string {
	name := ToCamel(s)
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// Write says what to write, or falls back where there is no proposal.
func Write(field, proposal, otherwise string) string {
	if proposal == "" {
		return otherwise
	}
	return "write " + field + ": '" + proposal + "'"
}

// MaxSkillName is how many characters the name of a skill has at most.
const MaxSkillName = 64

// IsSkillName matches ^[a-z][a-z0-9-]{0,63}$.
func IsSkillName(s string) bool { return len(s) <= MaxSkillName && IsKebab(s) }

// IsKebab matches ^[a-z][a-z0-9-]*$.
func IsKebab(s string) bool {
	return Each(s, isLower, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' })
}
