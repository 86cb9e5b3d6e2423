// Go goes through one scenario with a Go SDK of MCP as client of fmcp-serve:
//
//	go go-sdk|mcp-go legacy|modern URL|COMMAND...
//
// CATALOG and NEXT name the file that is served, and one in which a tool says
// something else, which takes its place on the way. It prints nothing where all is
// as it should be. It is a module of its own: the commands need neither SDK.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// client is what the scenario needs of an SDK.
type client interface {
	tools(ctx context.Context) (map[string]string, error) // descriptions by name
	call(ctx context.Context, name string, args map[string]any) (answer, error)
	resources(ctx context.Context) ([]string, error)
	templates(ctx context.Context) ([]string, error)
	read(ctx context.Context, uri string) (string, error)
	prompts(ctx context.Context) ([]string, error)
	get(ctx context.Context, name string, args map[string]string) (string, error)
	complete(ctx context.Context, prompt, argument, value string) ([]string, error)
	// listen begins to listen to lists that change, where that is to be asked for.
	listen(ctx context.Context) error
	close() error
}

// answer is the first block of an answer to a call.
type answer struct {
	text, mime string
	failed     bool
}

// events are what an SDK hears; asked answers for the user.
type events struct {
	asked    []string
	progress []float64
	changed  chan struct{}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	heard := &events{changed: make(chan struct{}, 100)}
	connect := map[string]func(context.Context, bool, []string, *events) (client, error){
		"go-sdk": connectSDK, "mcp-go": connectMCPGo}[args[0]]
	c, err := connect(ctx, args[1] == "modern", args[2:], heard)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	for _, step := range []struct {
		name string
		do   func(context.Context, client, *events) error
	}{{"calls", calls}, {"asking", asking}, {"progress", progress}, {"resources", resources}, {"prompts", prompts},
		{"reload", reload}} {
		if err := step.do(ctx, c, heard); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return c.close()
}

// says is an error where a text, or the words of an error, lack a part.
func says(text string, err error, parts ...string) error {
	if err != nil {
		text = err.Error()
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return fmt.Errorf("%q has no %q", text, part)
		}
	}
	return nil
}

// refused is says for what must be an error.
func refused(err error, parts ...string) error {
	if err == nil {
		return fmt.Errorf("no error, expected %q", parts)
	}
	return says("", err, parts...)
}

func calls(ctx context.Context, c client, _ *events) error {
	tools, err := c.tools(ctx)
	if err != nil || tools["test_simple_text"] == "" {
		return fmt.Errorf("tools %v: %w", tools, err)
	}
	simple, err := c.call(ctx, "test_simple_text", nil)
	errs := []error{says(simple.text, err, "This is a simple text response for testing.")}
	image, err := c.call(ctx, "test_image_content", nil)
	errs = append(errs, says(image.mime, err, "image/png"))
	failing, err := c.call(ctx, "test_error_handling", nil)
	errs = append(errs, says(fmt.Sprint(failing), err, "this always fails", "true"))
	wrong, err := c.call(ctx, "list_rows_tool", map[string]any{"limit": "many"})
	errs = append(errs, says(fmt.Sprint(wrong), err, "EXE012", "limit", "true"))
	_, err = c.call(ctx, "no_such_tool", nil)
	errs = append(errs, refused(err, "there is no tool"))
	cut, err := c.call(ctx, "list_rows_tool", nil)
	errs = append(errs, says(cut.text, err, "of 5000 items"))
	if len(cut.text) > 50_000 {
		errs = append(errs, fmt.Errorf("an answer of %d bytes", len(cut.text)))
	}
	return errors.Join(errs...)
}

func asking(ctx context.Context, c client, heard *events) error {
	greeting, err := c.call(ctx, "test_input_required_result_elicitation", nil)
	return errors.Join(says(greeting.text, err, "Hello, Ada!"),
		says(strings.Join(heard.asked, "; "), nil, "What is your name?"))
}

// progress: numbers grow, and a call that is cancelled ends at once.
func progress(ctx context.Context, c client, heard *events) error {
	slow, err := c.call(ctx, "test_tool_with_progress", nil)
	if err := says(slow.text, err, "It took its time."); err != nil {
		return err
	}
	if len(heard.progress) < 3 || !slices.IsSorted(heard.progress) {
		return fmt.Errorf("progress is %v", heard.progress)
	}
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := c.call(short, "test_tool_with_progress", nil); err == nil || time.Since(begun) > 2*time.Second {
		return fmt.Errorf("cancelled after %v: %v", time.Since(begun), err)
	}
	return nil
}

func resources(ctx context.Context, c client, _ *events) error {
	list, err := c.resources(ctx)
	errs := []error{says(strings.Join(list, " "), err, "test://static-text")}
	list, err = c.templates(ctx)
	errs = append(errs, says(strings.Join(list, " "), err, "test://template/{id}/data"))
	text, err := c.read(ctx, "test://static-text")
	errs = append(errs, says(text, err, "stays the same"))
	text, err = c.read(ctx, "test://template/12%2F3/data")
	errs = append(errs, says(text, err, `"id":"12/3"`))
	_, err = c.read(ctx, "test://nothing")
	return errors.Join(append(errs, refused(err, "there is no resource"))...)
}

func prompts(ctx context.Context, c client, _ *events) error {
	const brief = "conformance/skill/brief"
	list, err := c.prompts(ctx)
	errs := []error{says(strings.Join(list, " "), err, brief)}
	text, err := c.get(ctx, brief, map[string]string{"length": "short"})
	errs = append(errs, says(text, err, "a short brief", "simple text response"))
	_, err = c.get(ctx, brief, map[string]string{"length": "endless"})
	errs = append(errs, refused(err, "expected one of short, long"))
	_, err = c.get(ctx, "conformance/skill/breef", nil)
	errs = append(errs, refused(err, "did you mean"))
	values, err := c.complete(ctx, brief, "length", "s")
	return errors.Join(append(errs, says(fmt.Sprint(values), err, "[short]"))...)
}

// reload changes the catalog: the client is told, and sees another list.
func reload(ctx context.Context, c client, heard *events) error {
	if err := c.listen(ctx); err != nil {
		return err
	}
	next, err := os.ReadFile(os.Getenv("NEXT"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(os.Getenv("CATALOG"), next, 0o644); err != nil {
		return err
	}
	select {
	case <-heard.changed:
	case <-time.After(15 * time.Second):
		return errors.New("not told")
	}
	tools, err := c.tools(ctx)
	return says(tools["test_logging_tool"], err, "keeps quiet")
}
