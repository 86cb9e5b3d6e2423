package scaffold

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Request is a request that is known to work. It may hold keys: no error and no file
// shows its values without a look at what they are.
type Request struct {
	Method  string
	URL     string // path parameters as {id} or {id=42}
	Headers []Header
	Body    string // JSON, or a form where Form is set
	Form    bool
}

// Header is one of a Request.
type Header struct{ Name, Value string }

// curlOptions are the options of curl that are read, by what they are short for. What
// changes only how curl works or what it prints is "" or, where it takes a value, "-".
var curlOptions = map[string]string{
	"H": "header", "d": "data", "X": "request", "G": "get", "u": "user", "A": "agent", "e": "referer", "b": "cookie",
	"I": "head", "header": "header", "data": "data", "data-raw": "data-raw", "data-ascii": "data",
	"data-binary": "data", "data-urlencode": "urlencode", "json": "json", "request": "request", "get": "get",
	"user": "user", "url": "url", "user-agent": "agent", "referer": "referer", "cookie": "cookie", "head": "head",
	"oauth2-bearer": "bearer", "s": "", "S": "", "L": "", "k": "", "i": "", "v": "", "f": "", "g": "", "N": "", "#": "",
	"silent": "", "show-error": "", "location": "", "insecure": "", "include": "", "verbose": "", "fail": "",
	"globoff": "", "compressed": "", "no-buffer": "", "http1.1": "", "http2": "", "progress-bar": "",
	"fail-with-body": "", "o": "-", "output": "-", "m": "-", "max-time": "-", "connect-timeout": "-", "retry": "-",
	"w": "-", "write-out": "-",
}

// takesNone are the options without a value.
var takesNone = map[string]bool{"": true, "get": true, "head": true}

// curlReader is a curl command while it is read.
type curlReader struct {
	Request
	data      []string
	get, json bool
}

// Curl reads a command of curl, as documentation shows and browsers copy them.
func Curl(command string) (Request, error) {
	args, err := shellWords(command)
	if err != nil {
		return Request{}, err
	}
	if len(args) > 0 && args[0] == "$" { // the prompt of documentation
		args = args[1:]
	}
	if len(args) == 0 || args[0] != "curl" {
		return Request{}, errors.New("the command does not begin with curl")
	}
	if strings.Contains(command, `^"`) {
		return Request{}, errors.New(`the command is quoted for cmd.exe: in the browser choose "Copy as cURL (bash)"`)
	}
	c := &curlReader{}
	for args = args[1:]; len(args) > 0; {
		if args, err = c.next(args); err != nil {
			return Request{}, err
		}
	}
	if c.URL == "" {
		return Request{}, errors.New("the command of curl has no URL")
	}
	return c.finish(), nil
}

// next reads an argument and its value, and returns those after it.
func (c *curlReader) next(args []string) ([]string, error) {
	arg := args[0]
	args = args[1:]
	long, isLong := strings.CutPrefix(arg, "--")
	switch {
	case isLong && long != "":
		return c.option(long, "--"+long, args)
	case len(arg) > 1 && arg[0] == '-':
		for i := 1; i < len(arg); i++ {
			name := arg[i : i+1]
			what, ok := curlOptions[name]
			if ok && !takesNone[what] && i+1 < len(arg) { // -XPOST
				return args, c.set(what, arg[i+1:])
			}
			var err error
			if args, err = c.option(name, "-"+name, args); err != nil {
				return nil, err
			}
		}
		return args, nil
	}
	return args, c.set("url", arg)
}

func (c *curlReader) option(name, shown string, args []string) ([]string, error) {
	what, ok := curlOptions[name]
	switch {
	case !ok && (name == "F" || strings.HasPrefix(name, "form")):
		return nil, errors.New("the body is multipart/form-data, and tools send JSON: the tool needs a handler " +
			"(docs/handlers.md)")
	case !ok:
		near := ""
		if len(name) > 1 { // another letter is another option
			near = words.DidYouMean(name, slices.Sorted(maps.Keys(curlOptions)))
		}
		return nil, fmt.Errorf("option %s of curl is not read%s; take it out if the request does not need it",
			words.Quote(shown), near)
	case takesNone[what]:
		return args, c.set(what, "")
	case len(args) == 0:
		return nil, fmt.Errorf("option %s of curl has no value", words.Quote(shown))
	}
	return args[1:], c.set(what, args[0])
}

func (c *curlReader) set(what, value string) error {
	switch what {
	case "url":
		if c.URL != "" {
			return errors.New("the command of curl has two URLs; a text with spaces needs quotes")
		}
		c.URL = value
	case "request":
		c.Method = strings.ToUpper(value)
	case "get":
		c.get = true
	case "head":
		c.Method = "HEAD"
	case "header":
		name, text, ok := strings.Cut(value, ":")
		if !ok {
			return errors.New("a header of the command of curl has no colon")
		}
		c.header(strings.TrimSpace(name), strings.TrimSpace(text))
	case "user":
		c.header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(value)))
	case "bearer":
		c.header("Authorization", "Bearer "+value)
	case "agent":
		c.header("User-Agent", value)
	case "referer":
		c.header("Referer", value)
	case "cookie":
		c.header("Cookie", value)
	case "json", "data", "data-raw", "urlencode":
		return c.addData(what, value)
	}
	return nil
}

func (c *curlReader) addData(what, value string) error {
	if what != "data-raw" && strings.HasPrefix(value, "@") {
		return errors.New("data of the command of curl is in a file; write it in the command")
	}
	if what == "urlencode" {
		name, text, ok := strings.Cut(value, "=")
		if !ok {
			name, text = "", value
		}
		value = url.QueryEscape(text)
		if name != "" {
			value = name + "=" + value
		}
	}
	c.json = c.json || what == "json"
	c.data = append(c.data, value)
	return nil
}

func (c *curlReader) header(name, value string) { c.Headers = append(c.Headers, Header{name, value}) }

// finish does what curl does when all options are known.
func (c *curlReader) finish() Request {
	r := c.Request
	switch {
	case len(c.data) > 0 && c.get:
		r.URL, _, _ = strings.Cut(r.URL, "#")
		glue := "?"
		if strings.Contains(r.URL, "?") {
			glue = "&"
		}
		r.URL += glue + strings.Join(c.data, "&")
	case len(c.data) > 0 && c.json:
		r.Body = strings.Join(c.data, "")
	case len(c.data) > 0:
		r.Body = strings.Join(c.data, "&")
		r.Form = true
		for _, h := range r.Headers {
			if strings.EqualFold(h.Name, "Content-Type") {
				r.Form = !strings.Contains(strings.ToLower(h.Value), "json")
			}
		}
	}
	if r.Method == "" {
		r.Method = "GET"
		if r.Body != "" {
			r.Method = "POST"
		}
	}
	return r
}
