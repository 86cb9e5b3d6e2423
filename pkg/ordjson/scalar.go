package ordjson

// Shown is a value as an error message shows it, cut where it is long.
func Shown(v Value) string {
	if !v.Exists() {
		return "none"
	}
	if text := Text(v); len(text) <= 60 {
		return text
	}
	return "a long " + v.Kind().String()
}

// ScalarText is a string's content, or the JSON text of a number or boolean.
func ScalarText(v Value) (string, bool) {
	switch v.Kind() {
	case String:
		return v.Str(), true
	case Number, Bool:
		return Text(v), true
	}
	return "", false
}

// Unquoted is a value as people write it: a string without quotes, else its JSON.
func Unquoted(v Value) string {
	if v.Is(String) {
		return v.Str()
	}
	return Text(v)
}
