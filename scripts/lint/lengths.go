package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

const (
	maxFile     = 400
	maxFunction = 60
)

// lengths finds files and functions that are too long. The lines of a table,
// which is a composite literal of at least tableLines lines, count as one.
func lengths(path string, text []byte) ([]problem, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []problem
	if n := fset.File(file.FileStart).LineCount() - tables(fset, file); n > maxFile {
		found = append(found, problem{1, fmt.Sprintf("%d lines, at most %d are allowed: split the file", n, maxFile)})
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if n := span(fset, f) - tables(fset, f); n > maxFunction {
			found = append(found, problem{fset.Position(f.Pos()).Line,
				fmt.Sprintf("%s has %d lines, at most %d are allowed: split the function", f.Name.Name, n,
					maxFunction)})
		}
	}
	return found, nil
}

func span(fset *token.FileSet, n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

// tableLines is the length from which on a literal is a table.
const tableLines = 5

// tables counts the lines that tables take up beyond their first. A literal
// that holds functions with bodies of their own is code, and counts; so do
// structs, whose fields are named one by one.
func tables(fset *token.FileSet, root ast.Node) int {
	lines := 0
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || !isList(lit) {
			return true
		}
		if total := span(fset, lit); total >= tableLines {
			lines += total - 1 - code(fset, lit)
			return false
		}
		return true
	})
	return lines
}

// isList reports whether the literal is a slice, an array or a map.
func isList(lit *ast.CompositeLit) bool {
	switch lit.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// code counts the lines of the functions in a table.
func code(fset *token.FileSet, lit *ast.CompositeLit) int {
	lines := 0
	ast.Inspect(lit, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			if total := span(fset, f); total > 1 {
				lines += total
			}
			return false
		}
		return true
	})
	return lines
}
