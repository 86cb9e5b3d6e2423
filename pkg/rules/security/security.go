// Package security holds the rows of chapter 05. pkg/forbidden finds what they are
// about, and handlers while they run.
package security

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{secRules}

// secRules are chapter 05: what the source of a schema may not contain, and,
// stricter, that of a shared list. fmcp-scan reports them, since they must be
// known before anything of the file is evaluated. SEC100–SEC104 show when
// handlers run, and execution reports them.
var secRules = []engine.Rule{
	sec("SEC001", "no-import", "A schema imports nothing.", "An imported module runs with the rights of whoever loads the schema; nobody has looked at it.", "Name the package in main.requiredLibraries and take it from `libraries`, lists from `sharedLists`."),
	sec("SEC002", "no-require", "A schema requires nothing.", "A required module runs with the rights of whoever loads the schema; nobody has looked at it.", "Name the package in main.requiredLibraries and take it from `libraries`."),
	sec("SEC003", "no-eval", "A schema does not evaluate text as code.", "Code that is made at run time cannot be looked at before.", "Write the code out."),
	sec("SEC004", "no-function-constructor", "A schema does not reach the Function constructor.", "Function makes code of text, which cannot be looked at before it runs; every function's `constructor` is Function.", "Write the function out."),
	sec("SEC005", "no-new-function", "A schema does not call new Function.", "Function makes code of text, which cannot be looked at before it runs.", "Write the function out."),
	sec("SEC006", "no-process", "A schema does not use `process`.", "process gives away the environment, with every API key in it.", "Declare the key in main.requiredServerParams and place it as {{SERVER_PARAM:KEY}}; a variable of that name needs another one."),
	sec("SEC007", "no-child-process", "A schema starts no other programs.", "A program that is started runs with the rights of whoever loads the schema.", "Remove it; the core makes the request."),
	sec("SEC008", "no-fs", "A schema does not use the file system.", "Files of the machine are none of a schema's business.", "Declare a resource in main.resources; a variable called fs needs another name."),
	sec("SEC009", "no-node-fs", "A schema does not import node:fs.", "Files of the machine are none of a schema's business.", "Declare a resource in main.resources."),
	sec("SEC010", "no-fs-promises", "A schema does not import fs/promises.", "Files of the machine are none of a schema's business.", "Declare a resource in main.resources."),
	sec("SEC011", "no-global-this", "A schema does not use `globalThis`.", "Everything that the scan forbids can be had through the global object.", "Use what the handlers are given: struct, payload, response, sharedLists, libraries."),
	sec("SEC012", "no-global", "A schema does not use `global`.", "Everything that the scan forbids can be had through the global object.", "Use what the handlers are given; a variable called global needs another name."),
	sec("SEC013", "no-dirname", "A schema does not use `__dirname`.", "Paths of the machine leak, and the schema works in one place only.", "Declare a resource in main.resources."),
	sec("SEC014", "no-filename", "A schema does not use `__filename`.", "Paths of the machine leak, and the schema works in one place only.", "Declare a resource in main.resources."),
	secTimer("SEC015", "no-set-timeout", "setTimeout"),
	secTimer("SEC016", "no-set-interval", "setInterval"),
	sec("SEC017", "main-serializable", "main holds what JSON can: no functions, symbols, dates or regular expressions.", "main is data that is hashed, checked and handed on as JSON; a function in it is lost on the way.", "Write the value out; code belongs into handlers."),
	secSame("SEC018", "SEC204", "A shared list has no forbidden pattern."),
	secSame("SEC019", "SEC200", "A shared list has no executable code: functions (SEC200), arrow functions (SEC201), async (SEC202), template expressions (SEC203)."),
	{
		Code: "SEC020", Name: "library-not-approved", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "05",
		Summary: "Every package of main.requiredLibraries is on the allowlist when it is loaded.",
		Why:     "A library runs with everything the handlers get; only packages that somebody looked at are let in. VAL026 says the same of the source.",
		Fix:     "Use a library of the allowlist, or allow it in the configuration.",
	},
	secRange("SEC099", "static scan", "SEC001 to SEC020"),
	sec("SEC100", "no-fetch", "A handler calls fetch in executeRequest only.", "The core makes the request, under its network policy; preRequest and postRequest transform data.", "Describe the request in method, path and parameters, or move the call into executeRequest."),
	sec("SEC101", "handler-shape", "A handler returns what its stage must: { struct, payload } of preRequest, { response } of the others (decision 'Handler results').", "The next stage cannot go on with anything else. Of a catalog that was resolved with --profile community, preRequest may return { struct } alone, as nearly all of the public catalogs do: that is a warning, and the payload stays.", "Return the object with those names."),
	sec("SEC102", "lists-frozen", "A handler does not change sharedLists.", "The lists are frozen, since all schemas share them; the change throws a TypeError.", "Copy what is changed: [ ...sharedLists.evmChains ]."),
	sec("SEC103", "library-loads", "An approved library can be loaded.", "Without it the handlers cannot be made, and every call of the schema fails.", "Install the package in the folder that fmcp-resolve --libraries names."),
	sec("SEC104", "factory-runs", "The function handlers returns its object without throwing.", "It runs once, before the first call; if it throws, every call of the schema fails.", "Look at the message of the error, and mend the function."),
	secRange("SEC199", "violations while handlers run", "SEC100 to SEC104"),
	sec("SEC200", "list-no-function", "A shared list has no functions.", "A shared list is data; code in it would run for every schema that uses it.", "Write out the value that the function would return."),
	sec("SEC201", "list-no-arrow", "A shared list has no arrow functions.", "A shared list is data; code in it would run for every schema that uses it.", "Write out the value that the function would return."),
	sec("SEC202", "list-no-async", "A shared list has no async and no await.", "A shared list is data; there is nothing in it to wait for.", "Write out the value."),
	sec("SEC203", "list-no-template-expression", "A shared list has no template literals with expressions.", "A shared list is data; what is computed cannot be read off.", "Write out the text."),
	sec("SEC204", "list-no-forbidden-pattern", "A shared list has nothing that a schema may not have (SEC001 to SEC016).", "A shared list is data; code in it would run for every schema that uses it.", "Remove it."),
	secList205,
	secRange("SEC299", "scan of shared lists", "SEC200 to SEC205"),
}

func sec(code, name, summary, why, fix string) engine.Rule {
	return engine.Rule{Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "05", Summary: summary, Why: why, Fix: fix}
}

// secSame is a row for what chapter 09 says of shared lists in one code, and
// chapter 05 in codes of its own.
func secSame(code, replaced, summary string) engine.Rule {
	r := sec(code, "see-"+replaced, summary, "Chapter 05 tells the ways apart; two findings would be about one fault.", "See "+replaced+".")
	r.Chapter, r.Replaced = "09", replaced
	return r
}

// secRange is a row for the last code of a range: chapter 05 names it to give
// the range its end, and nothing is ever reported by it.
func secRange(code, what, used string) engine.Rule {
	r := sec(code, "end-of-"+code[:4]+"xx", "The last code of the range for "+what+"; of the range "+used+" are in use.", "Chapter 05 sets the range aside; this code itself says nothing.", "Nothing needs to be done: it is never reported.")
	r.Spec, r.Community = record.SeverityOff, record.SeverityOff
	return r
}

// secTimer is a row for a timer: a warning (decision "Timers").
func secTimer(code, name, function string) engine.Rule {
	r := sec(code, name, "A schema does not use `"+function+"`.", "There are no timers where handlers run: the call fails when it comes to it.", "Remove the timer; time limits are the core's business.")
	r.Spec, r.Community = record.SeverityWarning, record.SeverityWarning
	return r
}

var secList205 = engine.Rule{
	Code: "SEC205", Name: "list-literal", Spec: record.SeverityError, Community: record.SeverityError, Since: "fmcp 0.2", Chapter: "Code in lists",
	Summary: "A shared list is a literal: no calls, no new, no ternaries, no spread, no computed keys.",
	Why:     "A shared list is data; what code makes may be another list with every run. Such a list is not loaded.",
	Fix:     "Write out the value at the place named.",
}
