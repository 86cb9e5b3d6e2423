//go:build race

package rules_test

// mutantsApart is 10, of which one is tried: the race detector makes each ten times
// as slow, and has nothing to find in more of them. .ci/run tries all without it.
const mutantsApart = 10
