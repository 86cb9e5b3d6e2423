// Package secret has the server parameters: where their values come from, to
// which domain each may go, and how they are kept out of all that is shown
// (chapter 05; docs/keys.md).
package secret
