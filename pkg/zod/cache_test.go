package zod

import (
	"strconv"
	"testing"
)

func TestCacheKeepsBlocksApart(t *testing.T) {
	c := cache{blocks: map[string]block{}}
	first, _ := c.get("string()", []string{"min(1)"})
	for _, other := range [][]string{{"string()\x00min(1)"}, {"string()", "min(1)", ""}, {"string()min(1)"},
		{"string()"}, {"string()", "min(1)", "max(2)"}} {
		if s, _ := c.get(other[0], other[1:]); s == first {
			t.Errorf("%q is taken for string() with min(1)", other)
		}
	}
	if again, _ := c.get("string()", []string{"min(1)"}); again != first {
		t.Error("a block that was read before is read again")
	}
	if _, problems := c.get("strin()", nil); len(problems) == 0 {
		t.Error("no problem at first")
	}
	if _, problems := c.get("strin()", nil); len(problems) == 0 {
		t.Error("no problem the second time")
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := cache{blocks: map[string]block{}}
	for i := range 2 * maxBlocks {
		if s, _ := c.get("number()", []string{"min(" + strconv.Itoa(i) + ")"}); s == nil {
			t.Fatal("no schema")
		}
	}
	if len(c.blocks) > maxBlocks {
		t.Errorf("%d blocks are kept, want at most %d", len(c.blocks), maxBlocks)
	}
}
