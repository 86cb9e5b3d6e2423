package walk

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// FileID names what a file defines (chapter 16): the Spec-ID of the one thing
// that it is, or the Schema-File-ID. namespace is that of its folder, for files
// that name none themselves.
func FileID(load *record.Load, namespace string) string {
	text := func(field, otherwise string) string {
		if s := load.Data.Get(field).Str(); s != "" {
			return s
		}
		return otherwise
	}
	base := baseName(load.Src.Path)
	switch load.Type {
	case record.TypeList:
		if name := load.Data.Get("meta").Get("name").Str(); name != "" {
			base = name
		}
		return "shared/list/" + base
	case record.TypeRegistry:
		return text("name", path.Base(path.Dir(path.Join(load.Src.Root, load.Src.Path))))
	case record.TypeAgent:
		name := text("name", namespace)
		return name + "/agent/" + name
	case record.TypeSelection:
		name := text("name", namespace)
		return text("namespace", namespace) + "/selection/" + name
	case record.TypeSkill, record.TypePrompt, record.TypeContent:
		return text("namespace", namespace) + "/" + string(load.Type) + "/" + text("name", base)
	case record.TypeSkillMD:
		return namespace + "/" + string(load.Type) + "/" + Folder(load.Src)
	}
	return SchemaFileID(text("namespace", namespace), load.Src.Path)
}

// SchemaFileID is the Schema-File-ID of a file: namespace and name without
// .mjs (chapter 16).
func SchemaFileID(namespace, file string) string {
	if namespace == "" {
		return baseName(file)
	}
	return namespace + "/" + baseName(file)
}

func baseName(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }
