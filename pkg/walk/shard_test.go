package walk

import (
	"fmt"
	"slices"
	"testing"
)

func TestShardUnit(t *testing.T) {
	for _, c := range []struct{ root, path, want string }{
		{"c", "providers/weather/forecast.mjs", "weather"},
		{"c", "providers/weather/resources/places.db", "weather"},
		{"c", "providers/weather/skills/plan.mjs", "weather"},
		{"c", "providers/loose.mjs", "loose.mjs"},
		{"c/providers", "weather/forecast.mjs", "weather"},
		{"c/providers/weather", "forecast.mjs", "weather"},
		{"c/providers", "weather/old/data/more/forecast.mjs", "weather"},
		{"providers/c", "providers/weather/forecast.mjs", "weather"},
		{"c", "registry.json", ""},
		{"c", "providers", ""}, // a folder that cannot be read
		{"c", "_lists/chains.mjs", ""},
		{"c", "_shared/help.mjs", ""},
		{"c", "agents/scout/agent.mjs", ""},
		{"c", "selections/best/selection.mjs", ""},
		{"c", "skills/plan/SKILL.md", ""},
		{"c", "skills/plan/references/more.md", ""},
		{"c", "weather/forecast.mjs", "weather/forecast.mjs"},
	} {
		if got := shardUnit(NewFile("/some/"+c.root, c.path)); got != c.want {
			t.Errorf("%s %s: unit %q, expected %q", c.root, c.path, got, c.want)
		}
	}
}

// Every provider is in exactly one of the shards, and none has all of them.
func TestShards(t *testing.T) {
	const shards, providers = 4, 200
	got := make([]int, shards)
	for i := range providers {
		in := 0
		for s := range got {
			f := NewFile("c", fmt.Sprintf("providers/p%d/tool.mjs", i))
			if (Shard{uint64(s), shards}).has(f) {
				in++
				got[s]++
			}
		}
		if in != 1 {
			t.Errorf("provider %d is in %d shards", i, in)
		}
	}
	if slices.Min(got) < providers/shards/2 {
		t.Errorf("the shards have %d providers", got)
	}
}

func TestShardText(t *testing.T) {
	for text, want := range map[string]Shard{
		"1/4": {1, 4}, "4/4": {0, 4}, "0/4": {0, 4}, "1/1": {0, 1}, "0/1": {0, 1},
	} {
		var got Shard
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %v, %v, expected %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1", "1/", "/4", "5/4", "1/0", "0/0", "-1/4", "1/4/2", "one/four", "1 /4"} {
		var got Shard
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: %v, expected an error", text, got)
		}
	}
}
