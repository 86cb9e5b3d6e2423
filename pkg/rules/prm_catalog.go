package rules

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// promptNames returns the names of the prompts in the schemas of a namespace.
// The key of main.prompts is another name for the same (chapter 12).
func (c *Context) promptNames(namespace string) []string {
	var names []string
	for _, file := range c.filesOf(namespace) {
		if l := c.Files.Load(file); l != nil && l.Type == record.TypeSchema {
			for _, prompt := range model.NewSchema(l.Data).Prompts() {
				names = append(names, prompt.Name())
			}
		}
	}
	return names
}
