package gen

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Registry returns the registry.json of a catalog of n schemas and some agents
// (chapter 15).
func Registry(name string, n, agents int) []byte {
	list, _ := List()
	schemas := make([]ordjson.Value, n)
	for i := range schemas {
		path, _, info := Described(i)
		lists := []string{}
		if info.SharedList {
			lists = append(lists, listName)
		}
		schemas[i] = ordjson.NewObject(
			ordjson.Field("namespace", ordjson.NewString(info.Namespace)),
			ordjson.Field("file", ordjson.NewString(path)),
			ordjson.Field("name", ordjson.NewString(info.Name)),
			ordjson.Field("requiredServerParams", ordjson.Strings(info.ServerParams)),
			ordjson.Field("hasHandlers", ordjson.NewBool(info.Handlers)),
			ordjson.Field("sharedLists", ordjson.Strings(lists)),
		)
	}
	manifests, selections := make([]ordjson.Value, agents), make([]ordjson.Value, agents)
	for i := range manifests {
		named := func(name, description, key, file string) ordjson.Value {
			return ordjson.NewObject(ordjson.Field("name", ordjson.NewString(name)),
				ordjson.Field("description", ordjson.NewString(description)),
				ordjson.Field(key, ordjson.NewString(file)))
		}
		agent := agentName(i)
		manifests[i] = named(agent, "Answers questions", "manifest", "agents/"+agent+"/agent.mjs")
		selections[i] = named("more", "More sources", "file", "selections/"+agent+"/more.mjs")
	}
	registry := ordjson.NewObject(
		ordjson.Field("name", ordjson.NewString(name)),
		ordjson.Field("version", ordjson.NewString("1.0.0")),
		ordjson.Field("description", ordjson.NewString("Generated catalog for benchmarks")),
		ordjson.Field("schemaSpec", ordjson.NewString("4.2.0")),
		ordjson.Field("shared", ordjson.NewArray(ordjson.NewObject(
			ordjson.Field("file", ordjson.NewString(list)),
			ordjson.Field("name", ordjson.NewString(listName)),
		))),
		ordjson.Field("schemas", ordjson.NewArray(schemas...)),
		ordjson.Field("agents", ordjson.NewArray(manifests...)),
		ordjson.Field("selections", ordjson.NewArray(selections...)),
	)
	return append(ordjson.AppendIndent(nil, registry, ""), '\n')
}
