package rules

import "strings"

// Matchers of the name patterns, by hand: they run for every field of every
// schema.

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// each reports whether s is not empty, its first byte is of head, and all
// others are of tail.
func each(s string, head, tail func(byte) bool) bool {
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

func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

// isLetters matches ^[a-z]+$, the namespace of version 2.
func isLetters(s string) bool { return each(s, isLower, isLower) }

// isCamel matches ^[a-z][a-zA-Z0-9]*$.
func isCamel(s string) bool { return each(s, isLower, isAlnum) }

// isPascal matches ^[A-Z][a-zA-Z0-9]*$.
func isPascal(s string) bool { return each(s, isUpper, isAlnum) }

// isVariable matches ^[A-Za-z_][A-Za-z0-9_]*$, a variable that a shell can set.
func isVariable(s string) bool {
	letter := func(c byte) bool { return c == '_' || isLower(c) || isUpper(c) }
	return each(s, letter, func(c byte) bool { return letter(c) || isDigit(c) })
}

// isSemver matches ^\d+\.\d+\.\d+$.
func isSemver(s string) bool {
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

// isHash8 matches ^[0-9a-f]{8}$.
func isHash8(s string) bool {
	hex := func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }
	return len(s) == 8 && each(s, hex, hex)
}

// partsOf splits a name of any style: "GetABI_v2 now" gives Get, ABI, v2, now.
func partsOf(s string) []string {
	var list []string
	start := -1
	for i := 0; i <= len(s); i++ {
		inWord := i < len(s) && isAlnum(s[i])
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

// toNamespace proposes a namespace for a name that is none, "" where nothing
// of it can be kept.
func toNamespace(s string) string {
	name := strings.ToLower(strings.Join(partsOf(s), "-"))
	return strings.TrimLeft(name, "0123456789-")
}

// toCamel proposes a camelCase name, "" where nothing of it can be kept.
func toCamel(s string) string {
	var b strings.Builder
	for _, w := range partsOf(strings.TrimLeft(s, "0123456789")) {
		if b.Len() == 0 {
			b.WriteString(strings.ToLower(w))
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// toPascal proposes a PascalCase name, "" where nothing of it can be kept.
func toPascal(s string) string {
	name := toCamel(s)
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// sentence makes the particulars of a fix the general one of a row.
func sentence(fix string) string { return strings.ToUpper(fix[:1]) + fix[1:] + "." }

// write says what to write, or falls back where there is no proposal.
func write(field, proposal, otherwise string) string {
	if proposal == "" {
		return otherwise
	}
	return "write " + field + ": '" + proposal + "'"
}
