package resolve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// disputed is a stream in which much depends on who is first: two files of one list,
// tool, selection and skill, MCP names that meet, a tool of two catalogs, a file that
// two findings are about, and files that could not be read.
func disputed() (loads []*record.Load, found []*record.Diagnostic, errors []*record.Error) {
	tool := func(ns, file, name string) *record.Load {
		return schemaLoad("providers/"+ns+"/"+file+".mjs", `{"namespace":"`+ns+`","name":"N","root":"https://`+ns+
			`.example","sharedLists":[{"ref":"seas","version":"1.0.0"}],"requiredServerParams":["KEY"],`+
			`"headers":{"x":"{{SERVER_PARAM:KEY}}"},"tools":{"`+name+`":{"method":"GET","path":"/p",`+
			`"description":"`+file+`","parameters":[],"tests":[]}}}`)
	}
	skill := func(file string) *record.Load {
		return textLoad(record.TypeSkill, "providers/shop/skills/"+file+".mjs",
			`{"name":"report","description":"`+file+`","content":"{{tool:find}} {{skill:report}}"}`)
	}
	selection := func(file string) *record.Load {
		return groupLoad(record.TypeSelection, "desk/selection/all", "selections/desk/"+file+".mjs",
			`{"namespace":"desk","name":"all","description":"`+file+`","tools":["shop/tool/find"],`+
				`"resources":[],"prompts":[],"skills":["shop/skill/report"]}`)
	}
	seas := listLoad("_lists/seas.mjs", simpleList("seas", "1.0.0", "chains@1.0.0"))
	twin := listLoad("_lists/seas-2.mjs", simpleList("seas", "1.0.0"))
	other := func(l *record.Load) *record.Load {
		l.Src.Root = "other"
		return l
	}
	broken := tool("harbour", "broken", "dock")
	loads = []*record.Load{
		seas, twin, listLoad("_lists/chains.mjs", simpleList("chains", "1.0.0")),
		tool("shop", "a", "find"), tool("shop", "b", "find"), tool("shop", "c", "findAll"),
		tool("shop", "d", "find_all"),
		broken, skill("one"), skill("two"), selection("x"), selection("y"),
		groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
			`{"name":"clerk","description":"c","tools":{"shop/tool/find":null},`+
				`"resources":{"shop/resource/gone":null},"selections":["desk/selection/all"]}`),
		other(tool("shop", "a", "find")), other(listLoad("_lists/seas.mjs", simpleList("seas", "1.0.0"))),
	}
	for _, message := range []string{"second", "first"} {
		found = append(found, broken.Src.Diagnose(record.SeverityError, broken.ID,
			words.Problem{Code: "VAL003", Message: message}))
	}
	for _, file := range []string{"cat/_lists/lost.mjs", "cat/_lists/gone.mjs", "cat/providers/lost/lost.mjs"} {
		errors = append(errors, &record.Error{Input: file, Code: "LOD003"})
	}
	return loads, found, errors
}

// What is resolved does not depend on the order of the input, to the byte.
func TestOrder(t *testing.T) {
	all := func(shuffle func(n int, swap func(i, j int))) string {
		loads, found, errors := disputed()
		shuffle(len(loads), func(i, j int) { loads[i], loads[j] = loads[j], loads[i] })
		shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		shuffle(len(errors), func(i, j int) { errors[i], errors[j] = errors[j], errors[i] })
		r, err := NewResolver(Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range loads {
			r.Add(l, nil)
		}
		for _, d := range found {
			r.AddDiagnostic(d, "")
		}
		for _, e := range errors {
			r.AddError(e)
		}
		recs, diags := r.Resolve()
		slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
		var b []byte
		for _, line := range recs {
			b = append(append(b, line...), '\n')
		}
		for _, d := range diags {
			b = append(d.AppendJSON(b), '\n')
		}
		return string(b)
	}
	want := all(func(int, func(i, j int)) {})
	for _, id := range []string{"shop/tool/find", "desk/selection/all", "shop/skill/report", "clerk/agent/clerk"} {
		if !strings.Contains(want, `"resolved","id":"`+id) {
			t.Errorf("no %s in\n%s", id, want)
		}
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		if got := all(r.Shuffle); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
}
