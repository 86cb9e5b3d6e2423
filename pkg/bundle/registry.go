package bundle

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// registrySchema is the format of server.json.
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// maxDescription is how long the registry lets a description be, in characters.
const maxDescription = 100

// Registry is server.json: where the bundle with a hash, in hex, can be downloaded.
func (s *Server) Registry(namespace, url, sha256 string) ordjson.Value {
	var env []ordjson.Value
	for _, k := range s.Keys {
		env = append(env, ordjson.NewObject(text("name", k.Name), text("description", k.Description),
			ordjson.Field("isRequired", ordjson.NewBool(k.Required)), ordjson.Field("isSecret", ordjson.NewBool(true))))
	}
	pack := []ordjson.Member{text("registryType", "mcpb"), text("identifier", url), text("version", s.Version),
		text("fileSha256", sha256), object("transport", text("type", "stdio"))}
	if env != nil {
		pack = append(pack, ordjson.Field("environmentVariables", ordjson.NewArray(env...)))
	}
	return ordjson.NewObject(text("$schema", registrySchema), text("name", namespace+"/"+s.Name),
		text("title", words.Clip(s.Title, maxDescription)),
		text("description", words.Clip(words.OneLine(s.Description), maxDescription)), text("version", s.Version),
		ordjson.Field("packages", ordjson.NewArray(ordjson.NewObject(pack...))))
}
