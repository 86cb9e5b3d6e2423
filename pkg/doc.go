// Package pkg holds the packages that the fmcp commands are made of. They are
// no promised API: names and behaviour change with the commands. What fmcp
// promises is its flags, its exit statuses and the records that it reads and
// writes (docs/records.md).
package pkg
