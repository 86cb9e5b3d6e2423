package worker

// watchMemory is not needed here: the parent looks from outside.
func watchMemory(int64) {}
