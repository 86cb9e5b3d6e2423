//go:build race

package sandbox

// raceMemory is how many times more memory a worker takes under the race
// detector.
const raceMemory = 8
