package fields

// List is the list export of a file.
var List = &Object{Name: "List", Export: "list", Chapter: "03", Others: Unread,
	Text: "Values that several schemas share.", Fields: []Field{
		{Name: "meta", Type: ref("ListMeta"), Required: true, Text: "What the list holds."},
		{Name: "entries", Type: arrayOf(mapOf(anything)).atLeast(1), Required: true,
			Text: "The entries: objects with the fields that meta.fields defines."},
	}}

// ListMeta is list.meta.
var ListMeta = &Object{Name: "ListMeta", Chapter: "03", Others: Free, Text: "What a list holds.", Fields: []Field{
	{Name: "name", Type: camel, Required: true, Text: "The name that schemas refer to."},
	{Name: "version", Type: semver, Required: true,
		Text: "The version; removing a field or an entry needs a new major one."},
	{Name: "description", Type: text, Required: true, Text: "What the list holds, in one sentence."},
	{Name: "fields", Type: arrayOf(ref("ListField")).atLeast(1), Required: true, Text: "The fields of the entries."},
	{Name: "dependsOn", Type: arrayOf(ref("ListDependency")), Default: "[]",
		Text: "The lists that this one depends on."},
}}

// ListField is an element of list.meta.fields.
var ListField = &Object{Name: "ListField", Chapter: "03", Others: Unread,
	Text: "A field of the entries of a list.", Fields: []Field{
		{Name: "key", Type: text, Required: true, Text: "The name of the field."},
		{Name: "type", Type: words("string", "number", "boolean"), Required: true, Text: "The type of its values."},
		{Name: "description", Type: text, Required: true, Text: "What it holds."},
		{Name: "optional", Type: boolean, Default: "false", Text: "Entries may lack it."},
	}}

// ListDependency is an element of list.meta.dependsOn.
var ListDependency = &Object{Name: "ListDependency", Chapter: "03", Others: Unread,
	Text: "A list that another depends on.",
	Fields: []Field{
		{Name: "ref", Type: text, Required: true, Text: "The name of the list."},
		{Name: "version", Type: semver, Required: true, Text: "The version of the list."},
		{Name: "condition", Type: ref("ListCondition"), Text: "Which entry of that list this one is about."},
	}}

// ListCondition is the condition of such a dependency.
var ListCondition = &Object{Name: "ListCondition", Chapter: "03", Others: Unread,
	Text: "An entry of another list.", Fields: []Field{
		{Name: "field", Type: text, Required: true, Text: "The field of the entry that decides."},
		{Name: "value", Type: either(str, Type{Kind: Number}, boolean), Required: true, Text: "The value that it has."},
	}}
