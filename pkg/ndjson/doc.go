// Package ndjson moves lines: a reader that survives every input, a parallel
// map that keeps order, and a writer that lets records leave as soon as the
// stream is idle. It knows nothing of what the lines say.
package ndjson
