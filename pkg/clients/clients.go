// Package clients knows the MCP clients that people use: which file of theirs
// names servers, in which form, and what of a server each of them can use.
package clients

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Client is an MCP client. Of a limit, 0 means that none is known.
type Client struct {
	ID    string // "claude-desktop"
	Title string // "Claude Desktop"

	Tools        int    // tools that it uses, of all servers
	Defers       bool   // looks for tools itself, and shows its model those that it needs
	nameForm     string // how the model sees a tool, of server and tool
	Name         int    // length of that, in bytes
	Description  int    // bytes of a tool's description that the model sees
	Instructions int    // bytes of a server's instructions that the model sees
	Keys         bool   // refuses properties whose names are not of [a-zA-Z0-9_.-]{1,64}
	Items        bool   // refuses arrays without items
	TopLevel     bool   // drops anyOf, oneOf and allOf at the top of an input schema

	servers  string // member of the file that has the servers by name
	url      string // member of an entry that has the URL of a server that runs; "" where it has none
	toml     bool   // the file is TOML, else JSON with comments
	typed    bool   // an entry says whether it is of type stdio or http
	variable string // how an entry stands for a variable of the client's environment
	forwards bool   // an entry lists such variables in env_vars instead
	file     func(Place) string
}

// clients are all clients that are known, in the order of the help.
var clients = []*Client{
	{ID: "claude-desktop", Title: "Claude Desktop", nameForm: "%[2]s", Name: 64, Keys: true, TopLevel: true,
		servers: "mcpServers",
		file:    func(p Place) string { return filepath.Join(p.Config, "Claude", "claude_desktop_config.json") }},
	{ID: "claude-code", Title: "Claude Code", nameForm: "mcp__%s__%s", Name: 64, Defers: true, Description: 2048,
		Instructions: 2048, Keys: true, TopLevel: true, servers: "mcpServers", url: "url", typed: true,
		variable: "${%s:-}", // without :- a variable that is not set spoils the whole file
		file:     func(Place) string { return ".mcp.json" }},
	{ID: "cursor", Title: "Cursor", Tools: 40, nameForm: "%s%s", Name: 60, Keys: true, Items: true, TopLevel: true,
		servers: "mcpServers", url: "url", typed: true, variable: "${env:%s}",
		file: func(p Place) string { return filepath.Join(p.Home, ".cursor", "mcp.json") }},
	{ID: "vscode", Title: "VS Code", Tools: 128, nameForm: "mcp_%s_%s", Name: 64, Keys: true, Items: true,
		TopLevel: true, servers: "servers", url: "url", typed: true, variable: "${env:%s}",
		file: func(p Place) string { return filepath.Join(p.Config, "Code", "User", "mcp.json") }},
	{ID: "codex", Title: "Codex", nameForm: "mcp__%s__%s", Name: 64, Items: true, TopLevel: true,
		servers: "mcp_servers", url: "url", toml: true, forwards: true,
		file: func(p Place) string {
			return filepath.Join(cmp.Or(p.Codex, filepath.Join(p.Home, ".codex")), "config.toml")
		}},
	{ID: "gemini", Title: "Gemini CLI", nameForm: "mcp_%s_%s", Name: 63, Items: true,
		servers: "mcpServers", url: "httpUrl", variable: "$%s",
		file: func(p Place) string { return filepath.Join(p.Home, ".gemini", "settings.json") }},
	{ID: "zed", Title: "Zed", nameForm: "%[2]s", Name: 64, Keys: true, Items: true, TopLevel: true,
		servers: "context_servers", url: "url", file: zedFile},
}

// Zed keeps to the folders of Linux on macOS, too.
func zedFile(p Place) string {
	if p.OS == "darwin" {
		return filepath.Join(p.Home, ".config", "zed", "settings.json")
	}
	if p.OS == "windows" {
		return filepath.Join(p.Config, "Zed", "settings.json")
	}
	return filepath.Join(p.Config, "zed", "settings.json")
}

// All are all clients that are known.
func All() []*Client { return clients }

// IDs are the IDs of all clients.
func IDs() []string {
	ids := make([]string, len(clients))
	for i, c := range clients {
		ids[i] = c.ID
	}
	return ids
}

// Find is the client of an ID.
func Find(id string) (*Client, error) {
	for _, c := range clients {
		if c.ID == id {
			return c, nil
		}
	}
	ids := IDs()
	return nil, fmt.Errorf("%s is not a known client, expected one of %s%s", words.Quote(id), words.List(ids),
		words.DidYouMean(id, ids))
}

// Place is what the files of clients depend on.
type Place struct {
	OS     string // as of runtime.GOOS
	Home   string // folder of the user
	Config string // folder of the user's settings
	Codex  string // $CODEX_HOME
}

// PlaceOf is the place on an operating system with these variables.
func PlaceOf(system string, getenv func(string) string) Place {
	p := Place{OS: system, Home: getenv("HOME"), Codex: getenv("CODEX_HOME")}
	switch system {
	case "windows":
		p.Home = cmp.Or(getenv("USERPROFILE"), p.Home)
		p.Config = cmp.Or(getenv("APPDATA"), filepath.Join(p.Home, "AppData", "Roaming"))
	case "darwin":
		p.Config = filepath.Join(p.Home, "Library", "Application Support")
	default:
		p.Config = cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(p.Home, ".config"))
	}
	return p
}

// File is the file that names the client's servers.
func (c *Client) File(p Place) string { return c.file(p) }

// Reads reports whether an entry of the client's file can stand for a variable of
// the client's environment. Else its value has to be in the file, or in an env file.
func (c *Client) Reads() bool { return c.forwards || c.variable != "" }

// ToolName is the name by which the model knows a tool of a server.
func (c *Client) ToolName(server, tool string) string { return fmt.Sprintf(c.nameForm, server, tool) }

// Many is how many tools are too many for most models to choose from.
const Many = 100

// Most is how many tools the client can do with, in a list of all.
func (c *Client) Most() int { return cmp.Or(c.Tools, Many) }

// Mode is the --mode of fmcp-serve that suits the client and a number of tools.
func (c *Client) Mode(tools int) string {
	if c.Defers || tools <= c.Most() {
		return "all"
	}
	return "search"
}

// Table is the clients, where each looks for its servers on a system, and what suits
// it, as text.
func Table(system string) string {
	place := PlaceOf(system, func(name string) string {
		if name == "HOME" || name == "USERPROFILE" {
			return "~"
		}
		return ""
	})
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CLIENT\tMODE\tNAMES\tKEYS\tFILE")
	for _, c := range clients {
		mode := fmt.Sprintf("all up to %d tools, else search", c.Most())
		if c.Defers {
			mode = "all"
		}
		keys := "env file"
		if c.Reads() {
			keys = "env file, variables"
		}
		name := fmt.Sprintf("%s of %d", c.ToolName("SERVER", "TOOL"), c.Name)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", c.ID, mode, name, keys, c.file(place))
	}
	_ = t.Flush() // into memory
	return b.String()
}
