package cli

import "time"

// Timestamp reads a time as RFC 3339, or "now"; "" stays "".
func Timestamp(text string) (string, error) {
	switch text {
	case "":
		return "", nil
	case "now":
		return time.Now().UTC().Format(time.RFC3339), nil
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return "", Usagef("%q is not a time, expected now or one such as 2026-05-11T09:00:00Z", text)
	}
	return text, nil
}
