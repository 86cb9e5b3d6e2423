package fields

import "slices"

// All are the objects of the table, in the order in which an author meets them.
var All = []*Object{
	Main, Tool, ToolMeta, Preload, Parameter, Position, Z, Output, OutputSchema, Test, ListReference, ListFilter,
	Resource, SQLite, GTFS, Markdown, HTTP, Query, QueryParameter, QueryPosition,
	Prompt, ProviderPrompt, AgentPrompt, Skill, SkillRequires, SkillInput, SkillPrefill,
	List, ListMeta, ListField, ListDependency, ListCondition,
	Selection, SkillFile, Agent, PromptFile, AgentTool, AgentAbout, AgentTest, Elicitation, ElicitationTemplate,
	ElicitationSchema, ElicitationProperty,
	Frontmatter, SkillExtension, SkillExtensionReference,
	Registry, RegistryEntry, RegistryList, RegistrySchema, RegistryAgent, RegistrySelection,
}

// Lookup is the object of a name, nil if there is none.
func Lookup(name string) *Object {
	return find(func(o *Object) bool { return o.Name == name })
}

// Exported is the object that files export by a name, such as main; nil if there is
// none.
func Exported(export string) *Object {
	return find(func(o *Object) bool { return o.Export == export && export != "" })
}

func find(is func(*Object) bool) *Object {
	if i := slices.IndexFunc(All, is); i >= 0 {
		return All[i]
	}
	return nil
}
