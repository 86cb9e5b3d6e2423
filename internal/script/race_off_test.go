//go:build !race

package script

const raceEnabled = false

const slower = 1
