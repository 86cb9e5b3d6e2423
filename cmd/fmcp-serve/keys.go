package main

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// reasons says of keys that hide tools although they have a value why they do:
// it is in the environment alone, or bound to other domains.
func reasons(env *secret.Env, hidden []listing.Tool) []string {
	var unnamed, texts []string
	for _, t := range hidden {
		own := env.For(t.Domain)
		for _, key := range t.ServerParams {
			switch own.State(key) {
			case secret.KeyUnnamed:
				if !slices.Contains(unnamed, key) {
					unnamed = append(unnamed, key)
				}
			case secret.KeyUnbound:
				if text := own.Advice([]string{key}); !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
	}
	if unnamed != nil {
		texts = append(texts, env.Advice(unnamed))
	}
	return texts
}
