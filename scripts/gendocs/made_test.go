package main

import "testing"

// What make docs makes of the table of fields is what is in the repository.
func TestMade(t *testing.T) {
	t.Chdir("../..")
	if stale, err := (made{types: "types", reference: "docs/reference.md"}).update(false); err != nil || stale > 0 {
		t.Errorf("%d files differ (%v): run make docs", stale, err)
	}
}
