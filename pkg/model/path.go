package model

import "strings"

// PathPart is a piece of tool.path: literal text, or the place of an insert
// parameter.
type PathPart struct {
	Text   string // as written
	Key    string // key of the insert parameter, "" for literal text
	Legacy bool   // written :key or {key} instead of {{key}} (decision "Path placeholders")
}

// PathParts splits a path at its placeholders. {{key}} always is one. The
// field also writes :key and {key}: :key is read at the start of a segment,
// and both are read anywhere where key is one of inserts, the keys of the
// tool's insert parameters, so that "/points/:lat,:lon" works and
// "/claims:search" stays what it is. What has other braces or a $ beside those
// of {key} is misspelt (CMP031), and text.
func PathParts(path string, inserts []string) []PathPart {
	var parts []PathPart
	known := NamesOf(inserts).Has
	at := 0
	for _, p := range Placeholders(path) {
		parts = appendLegacyParts(parts, path[at:p.Start], known)
		parts = append(parts, PathPart{Text: path[p.Start:p.End], Key: p.Name})
		at = p.End
	}
	return appendLegacyParts(parts, path[at:], known)
}

func appendLegacyParts(parts []PathPart, text string, isInsert func(string) bool) []PathPart {
	start := 0
	for i := 0; i < len(text); i++ {
		key, end := legacyKey(text, i, isInsert)
		if key == "" {
			continue
		}
		if start < i {
			parts = append(parts, PathPart{Text: text[start:i]})
		}
		parts = append(parts, PathPart{Text: text[i:end], Key: key, Legacy: true})
		start, i = end, end-1
	}
	if start < len(text) {
		parts = append(parts, PathPart{Text: text[start:]})
	}
	return parts
}

// legacyKey returns the key of the :key or {key} that starts at text[i] and
// where it ends, or "".
func legacyKey(text string, i int, isInsert func(string) bool) (string, int) {
	if text[i] != ':' && text[i] != '{' {
		return "", 0
	}
	end := i + 1
	for end < len(text) && isKeyByte(text[end]) {
		end++
	}
	key := text[i+1 : end]
	known := isInsert(key)
	switch {
	case key == "":
		return "", 0
	case text[i] == '{':
		before, after := text[:i], text[end:]
		if known && strings.HasPrefix(after, "}") && !strings.HasPrefix(after, "}}") &&
			!strings.HasSuffix(before, "$") && !strings.HasSuffix(before, "{") {
			return key, end + 1
		}
		return "", 0
	case known || i > 0 && text[i-1] == '/':
		return key, end
	}
	return "", 0
}

func isKeyByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
