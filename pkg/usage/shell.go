package usage

import (
	"embed"
	"strings"
)

//go:embed shells
var shells embed.FS

// Shells are those that Script knows.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Script is what a shell has to read to complete the words of a command.
func Script(shell, command string) string {
	script, err := shells.ReadFile("shells/" + shell)
	if err != nil {
		panic(err) // no shell of Shells
	}
	function := strings.ReplaceAll(command, "-", "_")
	return strings.NewReplacer("FUNCTION", function, "NAME", command).Replace(string(script))
}
