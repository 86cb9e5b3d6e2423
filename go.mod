module github.com/flowmcp/fmcp

go 1.26
