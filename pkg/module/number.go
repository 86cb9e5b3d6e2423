package module

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// scanNumber finds the end of the numeric literal at s[start].
func scanNumber(s string, start int) (int, error) {
	i := start
	if s[i] == '0' && i+1 < len(s) {
		if base := radix(s[i+1]); base != 0 {
			i += 2
			end, ok := scanDigits(s, i, base)
			if !ok {
				return end, &words.SyntaxError{Offset: start, Message: "number has no digits after " + s[start:i]}
			}
			return numberEnd(s, start, end)
		}
		if isDigit(s[i+1]) || s[i+1] == '_' {
			return i, &words.SyntaxError{Offset: start, Message: "numbers that start with 0 are not allowed in " +
				"modules, write 0o17 for octal"}
		}
	}
	end, ok := i, true
	if s[i] != '.' {
		end, ok = scanDigits(s, i, 10)
	}
	if ok && end < len(s) && s[end] == '.' {
		end++
		if end < len(s) && isDigit(s[end]) {
			end, ok = scanDigits(s, end, 10)
		}
	}
	if ok && end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		end++
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			end++
		}
		end, ok = scanDigits(s, end, 10)
	}
	if !ok {
		return end, &words.SyntaxError{Offset: start, Message: "malformed number " + s[start:min(end+1, len(s))]}
	}
	return numberEnd(s, start, end)
}

// numberEnd checks that no name starts right after a number; the n of a
// BigInt belongs to it.
func numberEnd(s string, start, end int) (int, error) {
	if end < len(s) && s[end] == 'n' {
		end++
	}
	if end < len(s) && (identPart[s[end]] || s[end] == '\\') {
		return end, &words.SyntaxError{Offset: start, Message: "malformed number " + s[start:end+1]}
	}
	return end, nil
}

func radix(c byte) int {
	switch c {
	case 'x', 'X':
		return 16
	case 'o', 'O':
		return 8
	case 'b', 'B':
		return 2
	}
	return 0
}

// scanDigits reads digits with single underscores between them.
func scanDigits(s string, i, base int) (end int, ok bool) {
	start := i
	for i < len(s) {
		if s[i] == '_' {
			if i == start || s[i-1] == '_' || i+1 >= len(s) || s[i+1] == '_' {
				return i, false
			}
			i++
			continue
		}
		d, hex := ordjson.HexDigit(s[i])
		if !hex || int(d) >= base {
			break
		}
		i++
	}
	return i, i > start && s[i-1] != '_'
}

// numberValue returns the value of a numeric literal that scanNumber accepted
// and that is not a BigInt.
func numberValue(text string) float64 {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > 2 && text[0] == '0' {
		if base := radix(text[1]); base != 0 {
			return radixValue(text[2:], base)
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// radixValue rounds as JavaScript does: to the nearest float64, ties to even.
func radixValue(digits string, base int) float64 {
	if n, err := strconv.ParseUint(digits, base, 64); err == nil && n < 1<<53 {
		return float64(n)
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return math.NaN()
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
