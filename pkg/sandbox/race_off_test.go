//go:build !race

package sandbox

const raceMemory = 1
