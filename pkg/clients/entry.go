package clients

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Server is a server as a client is to start it, or one that runs.
type Server struct {
	Name    string
	Command string
	Args    []string
	Env     []Variable

	URL   string // of a server that runs
	Token string // variable that has the token for it, "" for none
}

// Variable is one of the server's environment. Without a Value it is the variable
// of that name of the client's environment.
type Variable struct{ Name, Value string }

// entry is a server as the client's file has it. A variable that the client cannot
// pass on is empty, for the user to fill in: an empty key is none.
func (c *Client) entry(s *Server) ordjson.Value {
	if s.URL != "" {
		return c.remote(s)
	}
	var env []ordjson.Member
	var forwarded []string
	for _, v := range s.Env {
		switch {
		case v.Value == "" && c.forwards:
			forwarded = append(forwarded, v.Name)
			continue
		case v.Value == "" && c.variable != "":
			v.Value = fmt.Sprintf(c.variable, v.Name)
		}
		env = append(env, ordjson.Field(v.Name, ordjson.NewString(v.Value)))
	}
	var members []ordjson.Member
	if c.typed {
		members = append(members, ordjson.Field("type", ordjson.NewString("stdio")))
	}
	members = append(members, ordjson.Field("command", ordjson.NewString(s.Command)),
		ordjson.Field("args", ordjson.Strings(s.Args)))
	if forwarded != nil {
		members = append(members, ordjson.Field("env_vars", ordjson.Strings(forwarded)))
	}
	if env != nil {
		members = append(members, ordjson.Field("env", ordjson.NewObject(env...)))
	}
	return ordjson.NewObject(members...)
}

// remote is the entry of a server that runs.
func (c *Client) remote(s *Server) ordjson.Value {
	var members []ordjson.Member
	if c.typed {
		members = append(members, ordjson.Field("type", ordjson.NewString("http")))
	}
	members = append(members, ordjson.Field(c.url, ordjson.NewString(s.URL)))
	switch {
	case s.Token == "":
	case c.forwards:
		members = append(members, ordjson.Field("bearer_token_env_var", ordjson.NewString(s.Token)))
	default:
		value := ""
		if c.variable != "" {
			value = fmt.Sprintf(c.variable, s.Token)
		}
		members = append(members, ordjson.Field("headers", ordjson.NewObject(
			ordjson.Field("Authorization", ordjson.NewString("Bearer "+value)))))
	}
	return ordjson.NewObject(members...)
}

// Connects reports whether the client's file may name a server that runs.
func (c *Client) Connects() bool { return c.url != "" }

// Snippet is a file of the client that has this server alone.
func (c *Client) Snippet(s *Server) string {
	entry := c.entry(s)
	if c.toml {
		return tomlTables(c.servers, s.Name, entry)
	}
	file := ordjson.NewObject(ordjson.Field(c.servers, ordjson.NewObject(ordjson.Field(s.Name, entry))))
	return string(ordjson.AppendIndent(nil, file, "")) + "\n"
}

// Edit is the text of the client's file with the server in it: as it was where the
// server is there already, and else with all that is not about it, byte for byte.
// Another server of that name is only replaced by force. The error says why the
// file cannot be edited.
func (c *Client) Edit(text string, s *Server, force bool) (string, error) {
	if strings.TrimSpace(strings.TrimPrefix(text, bom)) == "" {
		return c.Snippet(s), nil
	}
	if c.toml {
		return c.editTOML(text, s, force)
	}
	return c.editJSON(text, s, force)
}

const bom = "\uFEFF"

// merged is the entry of a server that is to stand where another is. Of one with the
// same command, or URL, stays what the user or the client has added, and the value of a
// variable that the user had to fill in.
func (c *Client) merged(was, entry ordjson.Value) ordjson.Value {
	if !ordjson.Equal(was.Get("command"), entry.Get("command")) || !ordjson.Equal(was.Get(c.url), entry.Get(c.url)) {
		return entry
	}
	out := was
	for _, m := range entry.Members() {
		switch own := was.Get(m.Key); {
		case m.Key == "env":
			m.Value = filledIn(own, m.Value, "")
		case m.Key == "headers":
			m.Value = filledIn(own, m.Value, "Bearer ")
		}
		out = out.With(m.Key, m.Value)
	}
	return out
}

// filledIn is an object with the texts of another where it has empty ones.
func filledIn(was, object ordjson.Value, empty string) ordjson.Value {
	for _, v := range object.Members() {
		if own := was.Get(v.Key); v.Value.Str() == empty && own.Is(ordjson.String) {
			object = object.With(v.Key, own)
		}
	}
	return object
}

// taken is the error of a name that another server has.
func taken(name string) error {
	return fmt.Errorf("it has another server %q: --force replaces it, --name gives this one another name", name)
}

// lineOf is what is before an offset in its line.
func lineOf(text string, offset int) string {
	return text[strings.LastIndexByte(text[:offset], '\n')+1 : offset]
}
