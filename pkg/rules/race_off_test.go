//go:build !race

package rules_test

const mutantsApart = 1
