package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// eager finds regular expressions that are compiled whenever a command starts.
func eager(path string, text []byte) ([]problem, error) {
	if !strings.HasPrefix(path, "pkg/") && !strings.HasPrefix(path, "cmd/") || strings.HasSuffix(path, "_test.go") {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []problem
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "regexp" && n.Sel.Name == "MustCompile" {
				found = append(found, problem{fset.Position(n.Pos()).Line,
					"compiled whenever a command starts: write lazy.Regexp"})
			}
		}
		return true
	})
	return found, nil
}
