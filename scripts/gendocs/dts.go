package main

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
)

const dtsHead = `// Types of the files of a FlowMCP catalog, version 4 of the specification. Above an export:
//
//     /** @type {import('…/flowmcp.d.ts').Main} */
//
// Written by make docs, from pkg/fields. fmcp-validate checks more: what depends on other
// fields, on other files, or on the meaning of a text.

`

// dtsHandlers are the types of what is no data (chapter 01, "The handlers Export";
// decisions "Handler arguments" and "Handler results").
const dtsHandlers = `
/** The request that is made, as handlers see it. */
export interface Struct {
    url: string;
    method: string;
    headers: { [name: string]: string };
    body?: unknown;
    status?: boolean;
    messages?: string[];
    data?: unknown;
}

/** What the caller gives, under the keys of the parameters, and the request. */
export interface Payload {
    [key: string]: any;
}

/** What may be done to one tool's calls. */
export interface Handler {
    /** Changes the request before it is made. */
    preRequest?: (input: { struct: Struct; payload: Payload }) =>
        Promise<{ struct: Struct; payload: Payload }> | { struct: Struct; payload: Payload };
    /** Makes the request itself; only here is there a fetch. */
    executeRequest?: (input: { struct: Struct; payload: Payload }) =>
        Promise<{ response: unknown } | { struct: Struct }> | { response: unknown } | { struct: Struct };
    /** Changes the answer. */
    postRequest?: (input: { response: any; struct: Struct; payload: Payload }) =>
        Promise<{ response: unknown }> | { response: unknown };
}

/** The export handlers: a factory of handlers, by tool, or by resource and query. */
export type Handlers = (dependencies: {
    sharedLists: { readonly [name: string]: ReadonlyArray<{ readonly [key: string]: any }> };
    libraries: { readonly [name: string]: any };
}) => { [tool: string]: Handler | { [query: string]: Handler } };
`

// typeFiles are flowmcp.d.ts and the JSON Schemas, by file name.
func typeFiles(fs.FS) (map[string]string, error) {
	files := map[string]string{"flowmcp.d.ts": declarations()}
	for _, root := range fields.All {
		if root.Export != "" {
			files[root.Export+".schema.json"] = jsonSchema(root)
		}
	}
	return files, nil
}

// declarations is flowmcp.d.ts.
func declarations() string {
	var b strings.Builder
	b.WriteString(dtsHead)
	seen := map[string]bool{}
	for _, root := range fields.All {
		if root.Export == "" {
			continue
		}
		for _, o := range reachable(root) {
			if !seen[o.Name] {
				seen[o.Name] = true
				declare(&b, o)
			}
		}
	}
	b.WriteString(dtsHandlers)
	return b.String()
}

func declare(b *strings.Builder, o *fields.Object) {
	fmt.Fprintf(b, "/** %s */\n", o.Text)
	if o.Variants != nil {
		fmt.Fprintf(b, "export type %s = %s;\n\n", o.Name, strings.Join(o.Variants, " | "))
		return
	}
	fmt.Fprintf(b, "export interface %s {\n", o.Name)
	for _, f := range o.Fields {
		if f.Until != "" || f.For != "" {
			continue
		}
		comment(b, f)
		mark := "?"
		if f.Required {
			mark = ""
		}
		name := f.Name
		if !model.IsIdent(name) {
			name = "'" + name + "'"
		}
		fmt.Fprintf(b, "    %s%s: %s;\n", name, mark, f.Type)
	}
	if o.Others == fields.Free {
		b.WriteString("    [name: string]: unknown;\n")
	}
	b.WriteString("}\n\n")
}

// comment says of a field what its type does not.
func comment(b *strings.Builder, f fields.Field) {
	lines := []string{f.Text}
	if limits := f.Type.Limits(); limits != "" {
		lines = append(lines, "", "Limits: "+limits+".")
	}
	switch {
	case f.When != "":
		lines = append(lines, "", "Required "+f.When+".")
	case f.Wanted:
		lines = append(lines, "", "Recommended.")
	}
	if f.Default != "" {
		lines = append(lines, "", "@default "+f.Default)
	}
	if f.Instead != "" {
		lines = append(lines, "", "@deprecated write "+f.Instead)
	}
	if len(lines) == 1 {
		fmt.Fprintf(b, "    /** %s */\n", lines[0])
		return
	}
	b.WriteString("    /**\n")
	for _, l := range lines {
		b.WriteString(strings.TrimRight("     * "+l, " ") + "\n")
	}
	b.WriteString("     */\n")
}
