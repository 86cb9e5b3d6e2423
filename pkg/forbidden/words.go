package forbidden

import "strings"

// word is a name that the scan has something to say about, or a text that
// chapter 05 forbids by the letter.
type word struct {
	name     string // in code; "" where only a raw scan looks for it
	code     string // "" where the name is not forbidden as such; from SEC200 on in shared lists only
	raw      string // "Forbidden Patterns" of chapter 05, "" if it is none
	look     func(s *scan, code string)
	property bool // look wants to know of properties of the name, too
}

var wordTable = []word{
	{name: "import", code: "SEC001", raw: "import ", look: (*scan).importWord},
	{name: "require", code: "SEC002", raw: "require(", look: (*scan).global},
	{name: "eval", code: "SEC003", raw: "eval(", look: (*scan).global},
	{name: "Function", code: "SEC004", raw: "Function(", look: (*scan).functionClass},
	{code: "SEC005", raw: "new Function"},
	{name: "process", code: "SEC006", raw: "process.", look: (*scan).object},
	{name: "child_process", code: "SEC007", raw: "child_process", look: (*scan).global},
	{name: "fs", code: "SEC008", raw: "fs.", look: (*scan).fs},
	{code: "SEC009", raw: "node:fs"},
	{code: "SEC010", raw: "fs/promises"},
	{name: "globalThis", code: "SEC011", raw: "globalThis.", look: (*scan).global},
	{name: "global", code: "SEC012", raw: "global.", look: (*scan).object},
	{name: "__dirname", code: "SEC013", raw: "__dirname", look: (*scan).global},
	{name: "__filename", code: "SEC014", raw: "__filename", look: (*scan).global},
	{name: "setTimeout", code: "SEC015", raw: "setTimeout", look: (*scan).global},
	{name: "setInterval", code: "SEC016", raw: "setInterval", look: (*scan).global},
	{name: "export", look: (*scan).exportWord},
	{name: "constructor", look: (*scan).constructorWord, property: true},
	{name: "XMLHttpRequest", code: "SEC021", look: (*scan).global},
	{name: "WebSocket", code: "SEC021", look: (*scan).global},
	{name: "fetch", look: (*scan).fetchWord},
	{name: "executeRequest", look: (*scan).executeWord, property: true},
	{name: "preRequest", look: (*scan).stageWord, property: true},
	{name: "postRequest", look: (*scan).stageWord, property: true},
	{name: "sharedLists", code: "SEC102", look: (*scan).sharedLists},
	{name: "function", code: "SEC200", raw: "function", look: (*scan).code},
	{name: "class", code: "SEC200", look: (*scan).code},
	{code: "SEC201", raw: "=>"},
	{name: "async", code: "SEC202", raw: "async", look: (*scan).code},
	{name: "await", code: "SEC202", raw: "await", look: (*scan).code},
	{code: "SEC203", raw: "${"},
	// Values that JSON does not have, and what makes them.
	{name: "undefined", look: (*scan).noData}, {name: "void", look: (*scan).noData},
	{name: "new", look: (*scan).noData},
	{name: "NaN", look: (*scan).noData}, {name: "Infinity", look: (*scan).noData}, {name: "Date", look: (*scan).noData},
	{name: "Symbol", look: (*scan).noData}, {name: "BigInt", look: (*scan).noData},
	{name: "RegExp", look: (*scan).noData},
}

// wordsByName are the words that have a name. wordLengths has, for the first
// byte of a name, a bit for each length of those words: nearly no name of a
// source is one of them.
var wordsByName, wordLengths = func() (byName map[string]*word, lengths [256]uint16) {
	byName = map[string]*word{}
	for i := range wordTable {
		if w := &wordTable[i]; w.name != "" {
			byName[w.name] = w
			lengths[w.name[0]] |= 1 << len(w.name)
		}
	}
	return byName, lengths
}()

// wordOf returns the word of a name, nil if there is none.
func wordOf(name string) *word {
	if len(name) > 15 || wordLengths[name[0]]>>len(name)&1 == 0 {
		return nil
	}
	return wordsByName[name]
}

// moduleCode is the code of a module of Node that has one.
func moduleCode(specifier string) string {
	name, node := strings.CutPrefix(specifier, "node:")
	switch {
	case name == "fs" && node:
		return "SEC009"
	case name == "fs":
		return "SEC008"
	case name == "fs/promises":
		return "SEC010"
	case name == "child_process":
		return "SEC007"
	case name == "process":
		return "SEC006"
	}
	return ""
}
