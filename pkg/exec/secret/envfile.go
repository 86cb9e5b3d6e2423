package secret

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/words"
)

// readEnvFile reads an env file. The error names file and line, never the
// line's content.
func readEnvFile(name string) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("env file: %w", err)
	}
	values := map[string]string{}
	if line := parseEnv(string(data), values); line > 0 {
		return nil, fmt.Errorf("env file %s:%d is not of the form KEY=value (the line is not shown, it may hold a "+
			"secret)", name, line)
	}
	for key := range values {
		if _, to, ok := strings.Cut(key, "@"); ok && (to == "" || domain.Of(to) != to) {
			return nil, fmt.Errorf("env file %s: %s binds to %s, expected a registrable domain such as %s", name,
				key, words.Quote(to), cmp.Or(domain.Of(to), "example.com"))
		}
	}
	return values, nil
}

// parseEnv reads .env text as Node's dotenv does, which the field's files are
// written for: KEY=value, export before it, # comments, values in ', " or `
// that may span lines, \n and \r in double quotes. There is no expansion of
// $NAME: a key that holds a dollar sign arrives as it is. It returns the number
// of the first line that it cannot read, or 0.
func parseEnv(text string, into map[string]string) int {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	for num := 1; text != ""; {
		line, rest, _ := strings.Cut(text, "\n")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			text, num = rest, num+1
			continue
		}
		eq := strings.IndexByte(line, '=')
		if eq < 0 {
			return num
		}
		key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[:eq]), "export "))
		if key == "" || strings.ContainsAny(key, " \t'\"`#") {
			return num
		}
		value, used, ok := envValue(text[eq+1:])
		if !ok {
			return num
		}
		into[key] = value
		used += eq + 1
		num += strings.Count(text[:used], "\n")
		text = text[used:]
	}
	return 0
}

// envValue reads the value at the start of text and tells how much of text the
// value and the rest of its line take.
func envValue(text string) (value string, used int, ok bool) {
	start := len(text) - len(strings.TrimLeft(text, " \t"))
	if start < len(text) && strings.IndexByte("'\"`", text[start]) >= 0 {
		quote := text[start]
		end := closing(text, start+1, quote)
		if end < 0 {
			return "", 0, false
		}
		value = text[start+1 : end]
		if quote == '"' {
			value = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\"`, `"`).Replace(value)
		}
		tail, _, found := strings.Cut(text[end+1:], "\n")
		if t := strings.TrimSpace(tail); t != "" && t[0] != '#' {
			return "", 0, false
		}
		used = end + 1 + len(tail)
		if found {
			used++
		}
		return value, used, true
	}
	line, _, found := strings.Cut(text, "\n")
	used = len(line)
	if found {
		used++
	}
	// A # starts a comment only after a space: keys may hold one.
	for _, mark := range []string{" #", "\t#"} {
		if i := strings.Index(line, mark); i >= 0 {
			line = line[:i]
		}
	}
	return strings.TrimSpace(line), used, true
}

// closing finds the closing quote; in double quotes \" is not one.
func closing(text string, from int, quote byte) int {
	for i := from; i < len(text); i++ {
		if text[i] == '\\' && quote == '"' {
			i++
			continue
		}
		if text[i] == quote {
			return i
		}
	}
	return -1
}
