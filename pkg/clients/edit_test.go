package clients

import (
	"strings"
	"testing"
)

func client(t testing.TB, id string) *Client {
	t.Helper()
	c, err := Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var tides = &Server{Name: "tides", Command: "/bin/fmcp-serve", Args: []string{"/srv/c.ndjson"},
	Env: []Variable{{"FMCP_ENV", "TIDE_KEY"}, {"TIDE_KEY", ""}}}

// An edit adds what is missing, and changes no byte of the rest.
func TestEdit(t *testing.T) {
	for _, tt := range []struct{ name, client, text, want string }{
		{"empty", "claude-desktop", " \n", `{
  "mcpServers": {
    "tides": {
      "command": "/bin/fmcp-serve",
      "args": [
        "/srv/c.ndjson"
      ],
      "env": {
        "FMCP_ENV": "TIDE_KEY",
        "TIDE_KEY": ""
      }
    }
  }
}
`},
		{"no servers yet, tabs, comments, a comma at the end", "zed",
			"// mine\n{\n\t\"theme\": \"dark\", // night\n\t/* end */\n}\n",
			"// mine\n{\n\t\"theme\": \"dark\", // night\n\t/* end */\n\t\"context_servers\": {\n" +
				"\t\t\"tides\": {\n" +
				"\t\t\t\"command\": \"/bin/fmcp-serve\",\n\t\t\t\"args\": [\n\t\t\t\t\"/srv/c.ndjson\"\n\t\t\t],\n" +
				"\t\t\t\"env\": {\n" +
				"\t\t\t\t\"FMCP_ENV\": \"TIDE_KEY\",\n\t\t\t\t\"TIDE_KEY\": \"\"\n\t\t\t}\n\t\t}\n\t},\n}\n"},
		{"beside another, four spaces, line ends of Windows", "vscode",
			"{\r\n    \"servers\": {\r\n        \"a\": {\"command\": \"a\"} // first\r\n    }\r\n}",
			strings.ReplaceAll(`{
    "servers": {
        "a": {"command": "a"}, // first
        "tides": {
            "type": "stdio",
            "command": "/bin/fmcp-serve",
            "args": [
                "/srv/c.ndjson"
            ],
            "env": {
                "FMCP_ENV": "TIDE_KEY",
                "TIDE_KEY": "${env:TIDE_KEY}"
            }
        }
    }
}`, "\n", "\r\n")},
		{"one line", "gemini", `{"mcpServers":{}}`, `{"mcpServers":{
  "tides": {
    "command": "/bin/fmcp-serve",
    "args": [
      "/srv/c.ndjson"
    ],
    "env": {
      "FMCP_ENV": "TIDE_KEY",
      "TIDE_KEY": "$TIDE_KEY"
    }
  }
}}`},
		{"TOML", "codex", "model = \"m\" # best\n\n[mcp_servers.a]\ncommand = \"a\"\n",
			`model = "m" # best

[mcp_servers.a]
command = "a"

[mcp_servers.tides]
command = "/bin/fmcp-serve"
args = ["/srv/c.ndjson"]
env_vars = ["TIDE_KEY"]

[mcp_servers.tides.env]
FMCP_ENV = "TIDE_KEY"
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, tt.client)
			got, err := c.Edit(tt.text, tides, false)
			if err != nil || got != tt.want {
				t.Fatalf("%v:\n%s\nwant:\n%s", err, got, tt.want)
			}
			if again, err := c.Edit(got, tides, false); err != nil || again != got {
				t.Errorf("a second edit: %v\n%s", err, again)
			}
		})
	}
}

// Another server is replaced by force alone, where it stands. What the user has
// added to ours stays, and so does a key that was filled in.
func TestEditReplaces(t *testing.T) {
	const (
		other = `{"mcpServers": {"tides": {"url": "http://x"}, "z": {"command": "z"}}}`
		added = `{"mcpServers": {"tides": {"command": "/bin/fmcp-serve", "args": ["/srv/c.ndjson"], "disabled": true,
  "env": {"TIDE_KEY": "mine", "FMCP_ENV": "TIDE_KEY"}}}}`
		moved = `{"mcpServers": {"tides": {"command": "/bin/fmcp-serve", "args": ["/old"], "disabled": true,
  "env": {"TIDE_KEY": "mine"}}}}`
		tables = "[mcp_servers.tides]\nurl = \"x\"\n[mcp_servers.tides.env]\nA = \"\"\"\n[x]\n# y\"\"\"\n\n" +
			"# about z\n[mcp_servers.z]\ncommand = \"z\"\n"
	)
	for _, tt := range []struct{ name, client, text, want string }{
		{"another", "claude-desktop", other, "z"},
		{"moved", "claude-desktop", moved, `"disabled": true`},
		{"tables", "codex", tables, "FMCP_ENV = \"TIDE_KEY\"\n\n# about z\n[mcp_servers.z]\ncommand = \"z\"\n"},
	} {
		c := client(t, tt.client)
		if _, err := c.Edit(tt.text, tides, false); err == nil || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v", tt.name, err)
		}
		got, err := c.Edit(tt.text, tides, true)
		if err != nil || !strings.Contains(got, tt.want) || strings.Contains(got, "url") ||
			strings.Contains(got, "/old") ||
			strings.Contains(tt.text, "mine") != strings.Contains(got, "mine") {
			t.Errorf("%s: %v\n%s", tt.name, err, got)
		}
		if again, err := c.Edit(got, tides, false); err != nil || again != got {
			t.Errorf("%s, a second edit: %v\n%s", tt.name, err, again)
		}
	}
	if got, err := client(t, "claude-desktop").Edit(added, tides, false); err != nil || got != added {
		t.Errorf("what is there with more: %v\n%s", err, got)
	}
}

// A server that runs has a URL, and a token that the user has written stays.
func TestEditRemote(t *testing.T) {
	remote := &Server{Name: "tides", URL: "https://a/mcp", Token: "T"}
	for id, want := range map[string]string{
		"claude-code": `"Authorization": "Bearer ${T:-}"`, "cursor": `"Authorization": "Bearer ${env:T}"`,
		"vscode": `"url": "https://a/mcp"`, "codex": `bearer_token_env_var = "T"`,
		"gemini": `"httpUrl": "https://a/mcp"`, "zed": `"Authorization": "Bearer "`,
	} {
		c := client(t, id)
		got, err := c.Edit("", remote, false)
		if err != nil || !strings.Contains(got, want) || !c.Connects() {
			t.Errorf("%s: %v\n%s", id, err, got)
		}
		if again, err := c.Edit(got, remote, false); err != nil || again != got {
			t.Errorf("%s, again: %v\n%s", id, err, again)
		}
		if _, err := c.Edit(got, tides, false); err == nil {
			t.Errorf("%s: one that is started takes its place", id)
		}
	}
	if client(t, "claude-desktop").Connects() {
		t.Error("Claude Desktop connects to no URL of its file")
	}
	zed := client(t, "zed")
	text := strings.Replace(zed.Snippet(remote), "Bearer ", "Bearer mine", 1)
	if got, err := zed.Edit(text, remote, false); err != nil || got != text {
		t.Errorf("%v\n%s", err, got)
	}
}

// What cannot be read is not edited, and the error says where.
func TestEditRefuses(t *testing.T) {
	for _, tt := range []struct{ client, text, want string }{
		{"cursor", "{\n  \"a\": nope\n}", "it is not JSON: line 2, column 8"},
		{"cursor", "[]", "it is an array, expected an object"},
		{"cursor", `{"mcpServers": []}`, "its mcpServers is an array, expected an object"},
		{"cursor", `{"mcpServers": "x"}`, "is a text, expected an object"},
		{"codex", "a = 1\na = 2\n", "it is not TOML: line 2"},
		{"codex", "mcp_servers = { a = { command = \"a\" } }\n", "add the server by hand"},
	} {
		got, err := client(t, tt.client).Edit(tt.text, tides, true)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q\n%s", tt.text, err, tt.want, got)
		}
	}
}

// Whatever a file holds, an edit either refuses it or leaves one that a second edit
// does not change.
func FuzzEdit(f *testing.F) {
	f.Add("{}", "[a]\nb = 1")
	f.Add("{\"mcpServers\": {\"tides\": 5,}, /* x */}", "[mcp_servers.tides]\n# x\n")
	f.Add("{\"a\":[1,{},] // x\n}", "mcp_servers.tides.command = 'x'\r\n[\"mcp_servers\".'tides'.env]\r\n")
	f.Fuzz(func(t *testing.T, json, toml string) {
		for id, text := range map[string]string{"cursor": json, "codex": toml} {
			c := client(t, id)
			got, err := c.Edit(text, tides, true)
			if err != nil {
				continue
			}
			if again, err := c.Edit(got, tides, false); err != nil || again != got {
				t.Errorf("%q becomes %q, and then %q: %v", text, got, again, err)
			}
		}
	})
}

// Each client's file, where systems differ.
func TestFile(t *testing.T) {
	for _, tt := range []struct{ client, os, want string }{
		{"claude-desktop", "linux", "/h/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", "darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", "/w/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-code", "linux", ".mcp.json"},
		{"cursor", "windows", "/w/.cursor/mcp.json"},
		{"vscode", "darwin", "/h/Library/Application Support/Code/User/mcp.json"},
		{"codex", "linux", "/h/.codex/config.toml"},
		{"gemini", "linux", "/h/.gemini/settings.json"},
		{"zed", "linux", "/h/.config/zed/settings.json"},
		{"zed", "darwin", "/h/.config/zed/settings.json"},
		{"zed", "windows", "/w/AppData/Roaming/Zed/settings.json"},
	} {
		env := map[string]string{"HOME": "/h", "USERPROFILE": "/w"}
		got := client(t, tt.client).File(PlaceOf(tt.os, func(name string) string { return env[name] }))
		if got != tt.want {
			t.Errorf("%s on %s: %s, want %s", tt.client, tt.os, got, tt.want)
		}
	}
	if _, err := Find("cursr"); err == nil || !strings.Contains(err.Error(), `did you mean "cursor"`) {
		t.Error(err)
	}
}

func TestMode(t *testing.T) {
	for _, tt := range []struct {
		client string
		tools  int
		want   string
	}{{"cursor", 40, "all"}, {"cursor", 41, "search"}, {"vscode", 128, "all"}, {"vscode", 129, "search"},
		{"claude-code", 5000, "all"}, {"zed", 100, "all"}, {"zed", 101, "search"}} {
		if got := client(t, tt.client).Mode(tt.tools); got != tt.want {
			t.Errorf("%s with %d tools: %s, want %s", tt.client, tt.tools, got, tt.want)
		}
	}
}
