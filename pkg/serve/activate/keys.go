package activate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// param is a server parameter that tools of the agent ask for.
type param struct {
	key        string
	namespaces []string
	asks       []ask
}

// ask is a schema file that asks for a parameter, which goes to a domain.
type ask struct{ schema, domain string }

// params are those of all tools of the agent, in the order of the tools; free are
// the namespaces that need none.
func (a *activation) params() (list []*param, free []string, err error) {
	var keyed []string
	for _, id := range a.tools.Of(record.TypeTool) {
		t, err := a.tools.Tool(id)
		if err != nil {
			return nil, nil, err
		}
		keys := t.ServerKeys()
		if free = append(free, t.Namespace); len(keys) > 0 {
			keyed = append(keyed, t.Namespace)
		}
		for _, key := range keys {
			i := slices.IndexFunc(list, func(p *param) bool { return p.key == key })
			if i < 0 {
				i, list = len(list), append(list, &param{key: key})
			}
			p, one := list[i], ask{t.Schema, domain.OfRoot(t.Root)}
			if !slices.Contains(p.asks, one) {
				p.asks = append(p.asks, one)
			}
			if !slices.Contains(p.namespaces, t.Namespace) {
				p.namespaces = append(p.namespaces, t.Namespace)
			}
		}
	}
	slices.Sort(free)
	free = slices.DeleteFunc(slices.Compact(free), func(n string) bool { return slices.Contains(keyed, n) })
	return list, free, nil
}

// collectParams prints the table of chapter 06, "Server Params Collection".
func (a *activation) collectParams() (string, error) {
	list, free, err := a.params()
	if err != nil {
		return "", err
	}
	a.asked = list
	const none = "(none)"
	width := len(none)
	for _, p := range list {
		width = max(width, len(p.key))
	}
	line := func(key, why string) { a.add(fmt.Sprintf("  - %-*s     (%s)", width, key, why)) }
	a.add("Agent " + words.Quote(a.agent.Name) + " requires:")
	for _, p := range list {
		line(p.key, "from "+words.List(p.namespaces)+" schemas")
	}
	for _, namespace := range free {
		line(none, namespace+" has no requiredServerParams")
	}
	return words.Count(len(list), "key"), nil
}

// checkEnv looks whether all of them are set. It says where each is to be set, and
// no value.
func (a *activation) checkEnv() (string, error) {
	list := a.asked
	if len(list) == 0 {
		return "no server params are required", errNothing
	}
	env := a.Caller.Env
	env.AskedBy(a.tools.Domains)
	var states, advice, lacking []string
	for _, p := range list {
		state := secret.KeySet
		for _, one := range p.asks {
			if s := env.For(one.domain).State(p.key); s != secret.KeySet {
				state = s
				advice = append(advice, one.schema+": "+env.For(one.domain).Advice([]string{p.key}))
			}
		}
		if states = append(states, p.key+"="+state.String()); state != secret.KeySet {
			lacking = append(lacking, p.key)
		}
	}
	a.add("Checking .env... " + strings.Join(states, ", "))
	if lacking == nil {
		a.add("All server params available. Agent ready.")
		return words.Count(len(list), "key") + " set", nil
	}
	for _, line := range advice {
		a.add(line)
	}
	return "", errors.New("missing server params: " + strings.Join(lacking, ", "))
}
