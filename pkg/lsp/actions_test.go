package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// actions asks for the actions at a place.
func (c *client) actions(params map[string]any) []codeAction {
	c.t.Helper()
	a := c.request("textDocument/codeAction", params)
	var list []codeAction
	if err := json.Unmarshal(a.Result, &list); err != nil || a.Error != nil {
		c.t.Fatalf("%s %+v: %v", a.Result, a.Error, err)
	}
	return list
}

// applied is a document after an action.
func (c *client) applied(name string, a codeAction) string {
	c.t.Helper()
	t := newText(c.text(name))
	edits := a.Edit.Changes[c.uri(name)]
	if len(edits) == 0 || len(a.Edit.Changes) != 1 {
		c.t.Fatalf("%+v", a.Edit)
	}
	src := t.src
	for _, e := range slices.Backward(edits) {
		src = src[:t.offset(e.Range.Start)] + e.NewText + src[t.offset(e.Range.End):]
	}
	return src
}

// A finding that has edits has a quick fix, which leads to what --fix does.
func TestQuickFix(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	right := c.text(stations)
	c.edit(stations, "method: 'GET'", "method: 'get'")
	list := c.actions(c.at(stations, "|method: 'get'"))
	if len(list) != 2 || list[0].Kind != kindQuickFix || list[1].Kind != kindFixAll {
		t.Fatalf("%+v", list)
	}
	fix := list[0]
	if len(fix.Diagnostics) != 1 || !strings.HasPrefix(fix.Title, fix.Diagnostics[0].Code+": ") {
		t.Errorf("%+v", fix)
	}
	if got := c.applied(stations, list[1]); got != right {
		t.Errorf("all corrected:\n%s", got)
	}
	c.set(stations, c.applied(stations, fix))
	if got := c.found(stations); strings.Contains(got, fix.Diagnostics[0].Code) {
		t.Errorf("corrected, found:\n%s", got)
	}
}

// Actions are those of the place and the kind that were asked for, and of a text that
// can be read.
func TestActionsAsAsked(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	c.edit(stations, "method: 'GET'", "method: 'get'")
	if list := c.actions(c.at(stations, "|namespace: 'tidewatch'")); len(list) != 1 || list[0].Kind != kindFixAll {
		t.Errorf("elsewhere: %+v", list)
	}
	for only, want := range map[string]int{"quickfix": 1, "source.fixAll": 1, "source": 1, "refactor": 0} {
		at := c.at(stations, "|method: 'get'")
		at["context"] = map[string]any{"only": []string{only}}
		if list := c.actions(at); len(list) != want {
			t.Errorf("%s: %+v", only, list)
		}
	}
	c.edit(stations, "method: 'get',", "method: 'get,")
	if list := c.actions(c.at(stations, "|method: 'get,")); len(list) != 0 {
		t.Errorf("of a text with a mistake: %+v", list)
	}
}

// Edits change no more lines than they have to.
func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     int
	}{
		{"a\nb\nc\n", "a\nb\nc\n", 0},
		{"a\nb\nc\n", "a\nx\nc\n", 1},
		{"a\nb\nc\nd\n", "x\nb\nc\nnew\nd", 2},
		{"a\nb\nc", "", 1},
		{"", "a\nb", 1},
		{"a\n\nb\n", "\nb\nc\n", 2},
		{"a 𝄞\r\nb\r\n", "a 𝄞\r\nnew\r\nb\r\n", 1},
	} {
		text := newText(tt.from)
		edits := text.changes(tt.to)
		got := tt.from
		for _, e := range slices.Backward(edits) {
			got = got[:text.offset(e.Range.Start)] + e.NewText + got[text.offset(e.Range.End):]
		}
		if got != tt.to || len(edits) != tt.want {
			t.Errorf("%q to %q: %q by %+v", tt.from, tt.to, got, edits)
		}
	}
}

// The forms of a place mean the same.
func TestPlaces(t *testing.T) {
	text := newText("a𝄞b\r\nü\rc\n")
	for _, tt := range []struct {
		offset, line, col int
		p                 position
	}{
		{0, 1, 1, position{0, 0}}, {1, 1, 2, position{0, 1}}, {5, 1, 3, position{0, 3}}, {6, 1, 4, position{0, 4}},
		{8, 2, 1, position{1, 0}}, {10, 2, 2, position{1, 1}}, {11, 3, 1, position{2, 0}}, {13, 4, 1, position{3, 0}},
	} {
		if got := text.position(tt.offset); got != tt.p {
			t.Errorf("position(%d) is %v, want %v", tt.offset, got, tt.p)
		}
		if got := text.offset(tt.p); got != tt.offset {
			t.Errorf("offset(%v) is %d, want %d", tt.p, got, tt.offset)
		}
		if got := text.place(tt.line, tt.col); got != tt.offset {
			t.Errorf("place(%d, %d) is %d, want %d", tt.line, tt.col, got, tt.offset)
		}
	}
	for p, want := range map[position]int{{0, 99}: 6, {99, 0}: 13, {-1, 3}: 0, {0, 2}: 5, {3, 7}: 13} {
		if got := text.offset(p); got != want {
			t.Errorf("offset(%v) is %d, want %d", p, got, want)
		}
	}
	text = newText(`'a\'b' word2! "open`)
	for start, end := range map[int]int{0: 6, 7: 12, 12: 13, 14: 19, 19: 19} {
		if got := text.extent(start); got != end {
			t.Errorf("extent(%d) is %d, want %d", start, got, end)
		}
	}
}

// A path and its URI lead to each other.
func TestURIs(t *testing.T) {
	for _, path := range []string{"/a/b c/ü#%.mjs", "/x"} {
		if got, ok := pathOf(uriOf(path)); !ok || got != path {
			t.Errorf("%q is %q", path, got)
		}
	}
	for _, uri := range []string{"untitled:Untitled-1", "https://x/y", "%", "file:", ""} {
		if got, ok := pathOf(uri); ok {
			t.Errorf("%q is the path %q", uri, got)
		}
	}
}

// A change that needs review says so, and leaves no mark: it is reviewed as it is made.
func TestQuickFixThatNeedsALook(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	right := c.text(stations)
	c.edit(stations, "18443'", "18443/'")
	list := c.actions(c.at(stations, "|root: 'https"))
	if len(list) != 1 || list[0].IsPreferred || !strings.HasSuffix(list[0].Title, " (needs review)") {
		t.Fatalf("%+v", list)
	}
	if got := c.applied(stations, list[0]); got != right {
		t.Errorf("corrected:\n%s", got)
	}
}
