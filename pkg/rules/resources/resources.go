// Package resources holds the rules for main.resources (chapters 13 and 09). A
// query has parameters, an output and tests as a tool has: of these VAL040–VAL065
// and TST speak, here is only what is different. The decisions "Queries per
// resource", "Read-only databases", "Database files", "HTTP resources" and "GTFS
// resources" say which of the two chapters counts where they differ. A
// resource that breaks a lowered rule keeps no tool beside it from working.
package resources

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text:    text,
	Objects: objects,
	Checks: map[string]func(*engine.Pass){
		"RES003": checkDatabase,
		"RES004": checkDatabaseParent,
		"RES005": checkResourceCount,
		"RES007": checkQuerySQL,
		"RES010": checkQueryOutput,
		"RES014": checkQueryPlaceholders,
		"RES015": checkQueryLocation,
		"RES016": checkQueryServerParam,
		"RES017": checkResourceName,
		"RES018": checkQueryName,
		"RES019": checkQueryPrimitive,
		"RES020": checkResourceFile,
		"RES021": checkQueryOutputArray,
		"RES024": checkHTTPURL,
		"RES027": checkFileName,
		"RES028": checkQueryCount,
		"RES029": checkReadOnly,
		"RES035": checkPathVariable,
		"RES036": checkHTTPPath,
		"RES037": checkFileBasedOrigin,
		"RES040": checkSQLiteInline,
		"RES041": checkResourceFields,
		"RES042": checkGetSchema,
		"RES043": checkURI,
	},
}
