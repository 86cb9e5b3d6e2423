//go:build !linux

package resource

import "testing"

// mountSmall is for systems on which a test can mount.
func mountSmall(*testing.T, string, string) bool { return false }
