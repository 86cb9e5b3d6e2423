package forbidden

// word is a name that the scan has something to say about.
type word uint8

const (
	noWord word = iota
	wordImport
	wordExport
	wordRequire
	wordEval
	wordFunction // the constructor
	wordProcess
	wordChildProcess
	wordFS
	wordGlobalThis
	wordGlobal
	wordDirname
	wordFilename
	wordSetTimeout
	wordSetInterval
	wordConstructor
	wordFunctionKey // the keyword
	wordClass
	wordAsync
	wordStage // preRequest, postRequest
	wordFetch
	wordSharedLists
	wordNoData // names of values that JSON does not have, and what makes them
)

// wordLengths has a bit for each length of a word of wordOf.
const wordLengths = 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<13

// wordOf recognises the words. It is called for every name of a source, nearly
// none of which is one.
func wordOf(name string) word {
	if len(name) > 13 || wordLengths>>len(name)&1 == 0 {
		return noWord
	}
	switch name {
	case "import":
		return wordImport
	case "export":
		return wordExport
	case "require":
		return wordRequire
	case "eval":
		return wordEval
	case "Function":
		return wordFunction
	case "process":
		return wordProcess
	case "child_process":
		return wordChildProcess
	case "fs":
		return wordFS
	case "globalThis":
		return wordGlobalThis
	case "global":
		return wordGlobal
	case "__dirname":
		return wordDirname
	case "__filename":
		return wordFilename
	case "setTimeout":
		return wordSetTimeout
	case "setInterval":
		return wordSetInterval
	case "constructor":
		return wordConstructor
	case "function":
		return wordFunctionKey
	case "class":
		return wordClass
	case "async", "await":
		return wordAsync
	case "preRequest", "postRequest":
		return wordStage
	case "fetch":
		return wordFetch
	case "sharedLists":
		return wordSharedLists
	case "undefined", "void", "new", "NaN", "Infinity", "Date", "Symbol", "BigInt", "RegExp":
		return wordNoData
	}
	return noWord
}

// wordCodes are the codes of the words that are forbidden as such.
var wordCodes = [...]string{
	wordRequire: "SEC002", wordEval: "SEC003", wordFunction: "SEC004", wordProcess: "SEC006",
	wordChildProcess: "SEC007", wordFS: "SEC008", wordGlobalThis: "SEC011", wordGlobal: "SEC012",
	wordDirname: "SEC013", wordFilename: "SEC014", wordSetTimeout: "SEC015", wordSetInterval: "SEC016",
}
