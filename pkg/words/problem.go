package words

import "fmt"

// Problem is something that is wrong, as every part of fmcp reports it: which
// rule or failure, what was found and what was expected, what to do about it,
// and where. Who knows the file makes a record of it.
type Problem struct {
	Code    string
	Message string
	Fix     string // "" where the message says it
	Pointer string // JSON pointer into what is looked at, "" where the caller knows the place
}

// Problemf is a problem whose message says what to do.
func Problemf(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error returns code, message and fix on one line.
func (p *Problem) Error() string { return p.Code + " " + p.Text() }

// Text is message and fix.
func (p *Problem) Text() string {
	if p.Fix == "" {
		return p.Message
	}
	return p.Message + "; " + p.Fix
}

// SyntaxError says where a text stops being what it is read as: JSON, YAML, SQL, a
// module.
type SyntaxError struct {
	Offset  int // bytes from the start
	Message string
	Fix     string // "" where the message says it
}

// Error returns the message and the byte offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Message, e.Offset) }
