package bundle

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// manifestVersion is that of the format, as Claude Desktop reads it.
const manifestVersion = "0.3"

func text(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }

func object(key string, members ...ordjson.Member) ordjson.Member {
	return ordjson.Field(key, ordjson.NewObject(members...))
}

// manifest is manifest.json of a bundle.
func (s *Server) manifest() ordjson.Value {
	var systems []string
	for _, b := range s.Binaries {
		systems = append(systems, b.system)
	}
	slices.Sort(systems)
	members := []ordjson.Member{
		text("manifest_version", manifestVersion),
		text("name", strings.ToLower(s.Name)), text("display_name", s.Title), text("version", s.Version),
		text("description", s.Description), object("author", text("name", s.Author)),
		object("server", text("type", "binary"), text("entry_point", s.Binaries[0].path()),
			object("mcp_config", s.config()...)),
		ordjson.Field("tools_generated", ordjson.NewBool(true)),
		object("compatibility", ordjson.Field("platforms", ordjson.Strings(systems))),
	}
	if len(s.Keys) > 0 {
		var config []ordjson.Member
		for _, k := range s.Keys {
			config = append(config, ordjson.Field(k.Name, k.config()))
		}
		members = append(members, object("user_config", config...))
	}
	return ordjson.NewObject(members...)
}

// config says how a client starts the server.
func (s *Server) config() []ordjson.Member {
	members := []ordjson.Member{
		text("command", inBundle(s.Binaries[0].path())),
		ordjson.Field("args", ordjson.Strings(append([]string{inBundle(catalogName)}, s.Args...))),
	}
	if len(s.Keys) > 0 {
		var names []string
		var env []ordjson.Member
		for _, k := range s.Keys {
			names = append(names, k.Name)
			env = append(env, text(k.Name, "${user_config."+k.Name+"}"))
		}
		env = append(env, text("FMCP_ENV", strings.Join(names, ",")))
		members = append(members, object("env", env...))
	}
	if len(s.Binaries) > 1 {
		var others []ordjson.Member
		for _, b := range s.Binaries {
			others = append(others, object(b.system, text("command", inBundle(b.path()))))
		}
		members = append(members, object("platform_overrides", others...))
	}
	return members
}

func inBundle(name string) string { return "${__dirname}/" + name }

// config is what a client asks its user for. Each is a secret: no schema says which
// are not. Without a default clients leave ${user_config.KEY} in the variable where
// nothing is given.
func (k Key) config() ordjson.Value {
	members := []ordjson.Member{text("type", "string"), text("title", k.Name), text("description", k.Description),
		ordjson.Field("sensitive", ordjson.NewBool(true)), ordjson.Field("required", ordjson.NewBool(k.Required))}
	if !k.Required {
		members = append(members, text("default", ""))
	}
	return ordjson.NewObject(members...)
}
