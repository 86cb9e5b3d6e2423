package module

import (
	"slices"
	"testing"
)

func TestExportNames(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"export const main = {}", []string{"main"}},
		{"export let a = 1", []string{"a"}},
		{"export async function handlers() {}", []string{"handlers"}},
		{"export function* gen() {}", []string{"gen"}},
		{"export class C {}", []string{"C"}},
		{"export default {}", []string{"default"}},
		{"export { a, b as main }", []string{"a", "main"}},
		{"export /* x */ const\nmain = {}", []string{"main"}},
		{"export * from 'x'", nil},
		{"export const { a } = b", nil},
		{"export", nil},
		{"export const", nil},
		{"export 'x", nil},
	} {
		src := "/* before */ " + tt.src
		if got := Tokenize(src).ExportNames(); !slices.Equal(got, tt.want) {
			t.Errorf("ExportNames(%q) = %q, want %q", tt.src, got, tt.want)
		}
	}
}
