package gen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// agentTools is how many tools an agent has of its own, and its selection.
const agentTools = 4

// agentName is the name of agent i, which is its namespace.
func agentName(i int) string { return fmt.Sprintf("%s-desk-%d", subjects[i%len(subjects)], i) }

// Agent calls put for the files of agent i of a catalog of n schemas: its manifest,
// a prompt, a skill, and a selection that only it refers to.
func Agent(i, n int, put func(path string, src []byte) error) error {
	name := agentName(i)
	r := rand.New(rand.NewPCG(17, uint64(i)))
	var tools [2 * agentTools]string
	for t := range tools {
		// Each from another part of the catalog, so that no tool is there twice.
		s := newSchema((t*n + r.IntN(n)) / len(tools))
		tools[t] = s.info.Namespace + "/tool/" + s.tools[r.IntN(len(s.tools))].name
	}
	dir := "agents/" + name
	for _, file := range []struct {
		path string
		src  []byte
	}{
		{dir + "/agent.mjs", manifest(name, tools[:agentTools])},
		{dir + "/prompts/about.mjs",
			fmt.Appendf(nil, "export const content = `Ask for %s.`\n", subjects[i%len(subjects)])},
		{dir + "/skills/overview.mjs", overview(tools[0])},
		{"selections/" + name + "/more.mjs", selection(name, tools[agentTools:])},
	} {
		if err := put(file.path, file.src); err != nil {
			return err
		}
	}
	return nil
}

func manifest(name string, tools []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `export const agent = {
    name: '%s',
    description: 'Answers questions from four sources',
    version: 'flowmcp/4.0.0',
    model: 'example/model-1',
    systemPrompt: 'You answer from the tools that you have, and name the source of each figure.',
    tools: {
`, name)
	for i, t := range tools {
		fmt.Fprintf(&b, "        '%s': null%s\n", t, comma(i, len(tools)))
	}
	fmt.Fprintf(&b, `    },
    selections: [ '%s/selection/more' ],
    prompts: { about: { file: './prompts/about.mjs' } },
    skills: { overview: { file: './skills/overview.mjs' } },
    tests: [
`, name)
	for i, t := range tools[:3] {
		fmt.Fprintf(&b, "        { _description: 'Question %d', input: 'What is new, part %d?', "+
			"expectedTools: [ '%s' ], expectedContent: [ 'new' ] }%s\n", i+1, i+1, t, comma(i, 3))
	}
	b.WriteString("    ]\n}\n")
	return b.Bytes()
}

func overview(tool string) []byte {
	return fmt.Appendf(nil, `const content = `+"`"+`
Call {{tool:%s}} for {{input:subject}} and say in a sentence what is new.
`+"`"+`

export const skill = {
    name: 'overview',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Says what is new',
    whenToUse: 'When somebody asks what is new',
    requires: { tools: [ '%s' ], resources: [], external: [] },
    input: [ { key: 'subject', type: 'string', description: 'What it is about', required: true } ],
    output: 'A sentence',
    content
}
`, strings.Replace(tool, "/tool/", "/", 1), tool)
}

func selection(name string, tools []string) []byte {
	return fmt.Appendf(nil, `export const selection = {
    namespace: '%s',
    name: 'more',
    version: 'flowmcp/4.0.0',
    description: 'More sources for the same questions',
    whenToUse: 'When the first sources have no answer',
    tools: %s,
    skills: [],
    resources: [],
    prompts: []
}
`, name, quoted(tools))
}
