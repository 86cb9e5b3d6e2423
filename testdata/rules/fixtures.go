// Package fixtures holds the example files of the rules: one folder for each
// code, with bad….mjs that the rule reports, good….mjs in which nothing is
// found, and want.txt, all that is found in them; a folder bad… or good… in the
// place of a file is a small catalog. The tests of pkg/rules keep folders and
// rules in step; --explain shows them.
package fixtures

import "embed"

// FS has the folders of the codes, and _lists with the shared lists that the
// examples refer to.
//
//go:embed all:VAL* all:CMP* all:SEC* all:ID* all:CAT* all:PRE* all:LST* all:TST* all:SKL* all:SKM* all:AGT* all:SEL* all:RES* all:PRM* all:PH* all:MCP* all:MIG* _lists
var FS embed.FS
