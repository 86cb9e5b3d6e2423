package spec2

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

const entryFile = "providers/demo/prices/_gradings/tools-aggregate-schema--2026-05-29T15-34-00Z.json"

func TestFolder(t *testing.T) {
	dir := Folder(t.TempDir())
	first := Grade(evidence(), options()).Entry
	if err := dir.Add("demo/prices", now, first); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(dir), entryFile))
	if err != nil || string(text) != ordjson.Pretty(first, "") {
		t.Errorf("%v: %s", err, text)
	}
	for age, want := range map[time.Duration]int{-time.Second: 0, 0: 0, time.Second: 1} {
		if list, err := dir.Before("demo/prices", now.Add(age)); err != nil || len(list) != want {
			t.Errorf("%v after: %d entries, want %d: %v", age, len(list), want, err)
		}
	}
	for _, id := range []string{"demo/other", "demo/..", "../demo"} {
		if list, err := dir.Before(id, now.Add(day)); err != nil || list != nil {
			t.Errorf("%s: %v, %v", id, list, err)
		}
	}
	if err := dir.Add("demo/prices", now, first); err != nil {
		t.Errorf("the same again: %v", err)
	}
	err = dir.Add("demo/prices", now, first.With("aggregateGrade", ordjson.NewString("C")))
	if err == nil || !strings.Contains(err.Error(), "is there already, and an entry is never replaced") {
		t.Errorf("another: %v", err)
	}
	if again, _ := os.ReadFile(filepath.Join(string(dir), entryFile)); string(again) != string(text) {
		t.Error("the entry was replaced")
	}
}

func TestOldestFirst(t *testing.T) {
	dir := Folder(t.TempDir())
	entry := Grade(evidence(), options()).Entry
	for _, age := range []time.Duration{2 * day, 0, day} {
		named := entry.With("gradingId", ordjson.NewString(age.String()))
		if err := dir.Add("demo/prices", now.Add(age), named); err != nil {
			t.Fatal(err)
		}
	}
	list, err := dir.Before("demo/prices", now.Add(3*day))
	var ids []string
	for _, entry := range list {
		ids = append(ids, entry.Get("gradingId").Str())
	}
	if got := strings.Join(ids, " "); err != nil || got != "0s 24h0m0s 48h0m0s" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestForeignEntries(t *testing.T) {
	entry := Grade(evidence(), options()).Entry
	with := func(i int, key, value string) string {
		a := entry.Get("gradings").Index(i)
		return ordjson.Text(entry.With("gradings", ordjson.NewArray(a.With(key, parse(value)))))
	}
	const script, llm = 0, 3
	veto := func(text string) string { return ordjson.Text(entry.With("categoricalVeto", parse(text))) }
	who := `"graderIdentity":{"kind":"human","name":"anna","version":"1"},"timestamp":"2026-05-29T15:34:00Z"`
	for name, tt := range map[string]struct{ text, want string }{
		"not JSON":      {"{", "is not JSON"},
		"another thing": {"[]", "gradingId: found none"},
		"a field":       {with(script, "mood", "1"), "gradings[0].mood: no field of an answer"},
		"a question":    {with(script, "questionId", `"x"`), `[0].questionId: found "x", expected Q- and a name`},
		"a score":       {with(script, "score", `5.5`), "gradings[0].score: found 5.5, expected 1.0 to 5.0, or pass"},
		"a score text":  {with(script, "score", `"3.0"`), `gradings[0].score: found "3.0"`},
		"a weight":      {with(script, "weight", `-1`), "gradings[0].weight: found -1"},
		"a time":        {with(script, "timestamp", `"may"`), `gradings[0].timestamp: found "may"`},
		"a determinism": {with(script, "determinism", `"maybe"`), `gradings[0].determinism: found "maybe"`},
		"a kind":        {with(script, "graderIdentity", `{}`), "gradings[0].graderIdentity.kind: found none"},
		"a model":       {with(llm, "llmModel", `""`), `gradings[0].llmModel: found ""`},
		"a persona": {with(llm, "selectionContext", `{"groupId":"g","personaIds":[]}`),
			"gradings[0].selectionContext.personaIds: found []"},
		"a trigger": {veto(`{"triggeredBy":"mood","evidence":"e",` + who + `}`),
			`categoricalVeto.triggeredBy: found "mood"`},
		"no evidence": {veto(`{"triggeredBy":"illegal-content",` + who + `}`), "categoricalVeto.evidence: found none"},
		"no reasoning": {veto(`{"triggeredBy":"ai-security-veto","evidence":"e",` + who + `}`),
			"categoricalVeto.reasoning: found none, expected why that is a risk"},
		"nothing wrong": {veto(`{"triggeredBy":"illegal-content","evidence":"e",` + who + `}`), ""},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, entryFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Folder(dir).Before("demo/prices", now.Add(day))
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), path)
		}
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}
