package model

import (
	"strings"
	"testing"
)

func TestReference(t *testing.T) {
	tests := []struct {
		text string
		want Reference
		ok   bool
	}{
		{"{{tool:getPrice}}", Reference{Type: "tool", Name: "getPrice"}, true},
		{"{{ tool : getPrice }}", Reference{Type: "tool", Name: "getPrice"}, true},
		{"{{tool:shop/getPrice}}", Reference{Type: "tool", Namespace: "shop", Name: "getPrice"}, true},
		{"{{tool:shop/getPrice:parameters}}",
			Reference{Type: "tool", Namespace: "shop", Name: "getPrice", Field: "parameters"}, true},
		{"{{tool:getPrice : test}}", Reference{Type: "tool", Name: "getPrice", Field: "test"}, true},
		{"{{tool:shop/tool/getPrice}}", Reference{Type: "tool", Namespace: "shop", Name: "tool/getPrice"}, true},
		{"{{tool:}}", Reference{Type: "tool"}, true},
		{"{{tool:shop/}}", Reference{Type: "tool", Namespace: "shop"}, true},
		{"{{resource:articles}}", Reference{Type: "resource", Name: "articles"}, true},
		{"{{prompt:shop/price-list}}", Reference{Type: "prompt", Namespace: "shop", Name: "price-list"}, true},
		{"{{skill:price-report}}", Reference{Type: "skill", Name: "price-report"}, true},
		{"{{input:article}}", Reference{Type: "input", Name: "article"}, true},
		{"{{input:a/b:c}}", Reference{Type: "input", Name: "a/b:c"}, true},
		{"{{prefill:shop/tool/getPrice}}", Reference{Type: "prefill", Namespace: "shop", Name: "getPrice"}, true},
		{"{{prefill:shop/resource/stock}}",
			Reference{Type: "prefill", Namespace: "shop", Name: "stock", Resource: true}, true},
		{"{{prefill:shop/getPrice}}", Reference{Type: "prefill", Namespace: "shop", Name: "getPrice"}, true},
		{"{{evmChains:alias}}", Reference{}, false},
		{"{{SERVER_PARAM:KEY}}", Reference{}, false},
		{"{{USER_PARAM}}", Reference{}, false},
		{"{{tool}}", Reference{}, false},
		{"{{}}", Reference{}, false},
	}
	for _, tt := range tests {
		list := Placeholders(tt.text)
		if len(list) != 1 {
			t.Fatalf("Placeholders(%q) = %v, want one", tt.text, list)
		}
		if got, ok := list[0].Reference(); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %+v, %t; want %+v, %t", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

// A reference says nothing that the placeholder does not, and reads the same
// when it stands alone.
func FuzzReference(f *testing.F) {
	for _, text := range []string{
		"Call {{tool:shop/getPrice:parameters}} for {{input:article}}.", "{{:}}", "{{tool:}}", "{{tool: / : }}",
		"{{skill:\xff:/}}",
		"{{prefill:shop/tool/getPrice}}{{list:alias}}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, ph := range Placeholders(text) {
			ref, ok := ph.Reference()
			if !ok {
				continue
			}
			for _, part := range []string{ref.Type, ref.Namespace, ref.Name, ref.Field} {
				if !strings.Contains(text[ph.Start:ph.End], part) {
					t.Fatalf("%q: %+v holds %q", text, ref, part)
				}
			}
			alone := Placeholders(text[ph.Start:ph.End])
			if len(alone) != 1 {
				t.Fatalf("%q: %+v reads as %+v when it is alone", text, ph, alone)
			}
			if again, _ := alone[0].Reference(); again != ref {
				t.Fatalf("%q: %+v reads as %+v when it is alone", text, ref, again)
			}
		}
	})
}
