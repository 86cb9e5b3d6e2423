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
	first := entry.Get("gradings").Index(0)
	with := func(key, value string) string {
		return ordjson.Text(entry.With("gradings", ordjson.NewArray(first.With(key, parse(value)))))
	}
	for name, tt := range map[string]struct{ text, want string }{
		"not JSON":      {"{", "is not JSON"},
		"another thing": {"[]", "gradingId: found none"},
		"a question":    {with("questionId", `"x"`), `gradings[0].questionId: found "x"`},
		"a score":       {with("score", `5.5`), "gradings[0].score: found 5.5"},
		"a score text":  {with("score", `"3.0"`), `gradings[0].score: found "3.0"`},
		"a weight":      {with("weight", `-1`), "gradings[0].weight: found -1"},
		"a time":        {with("timestamp", `"may"`), `gradings[0].timestamp: found "may"`},
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
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}
