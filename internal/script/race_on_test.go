//go:build race

package script

const raceEnabled = true

// slower is how many times the time and memory of others a command may take.
const slower = 4
