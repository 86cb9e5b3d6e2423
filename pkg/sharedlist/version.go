package sharedlist

import (
	"strconv"
	"strings"
)

// parseVersion reads MAJOR.MINOR.PATCH; a pre-release or build suffix is not
// a version of a list (chapter 03, "Versioning").
func parseVersion(s string) (v [3]int, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 31)
		if err != nil || len(p) > 1 && p[0] == '0' {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

// Compatible reports whether a list of version have serves a schema that was
// written for want: the same, or a later one of the same major version. That
// is chapter 03's semver rule, under which only a major version takes something
// away; chapter 09 (VAL073) says "match or be compatible".
func Compatible(have, want string) bool {
	if have == want {
		return true
	}
	h, ok1 := parseVersion(have)
	w, ok2 := parseVersion(want)
	if !ok1 || !ok2 || h[0] != w[0] {
		return false
	}
	return h[1] > w[1] || h[1] == w[1] && h[2] >= w[2]
}

// NewMinor reports whether a list of version have has a later minor version than
// want, and so entries or fields that want lacks.
func NewMinor(have, want string) bool {
	h, _ := parseVersion(have)
	w, _ := parseVersion(want)
	return h[1] > w[1]
}

// IsVersion reports whether a text is a version of a list.
func IsVersion(s string) bool {
	_, ok := parseVersion(s)
	return ok
}
