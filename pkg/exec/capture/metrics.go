package capture

import (
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// metrics are the figures of a namespace.
type metrics struct {
	namespace    string
	dir          string    // in that of the run
	began, ended time.Time // of the calls; zero where there was none
	all          figures
	tools        []*toolMetrics // in the order of their first tests
}

type toolMetrics struct {
	id, routeName string
	figures
}

// figures count tests and what their calls took.
type figures struct {
	record.TestCounts
	mismatched int

	calls               int
	fastest, slowest    time.Duration
	total               time.Duration
	largest, totalBytes int // of the data, as JSON
}

func (m *metrics) add(res *suite.Result) {
	size := 0
	if res.Called {
		size = len(ordjson.Text(res.Data))
	}
	for _, f := range []*figures{&m.all, &m.tool(res).figures} {
		f.add(res, size)
	}
	if !res.Called {
		return
	}
	if m.began.IsZero() || res.Began.Before(m.began) {
		m.began = res.Began
	}
	if end := res.Began.Add(res.Duration); end.After(m.ended) {
		m.ended = end
	}
}

// tool is that of the result. Its tests come one after the other.
func (m *metrics) tool(res *suite.Result) *toolMetrics {
	if n := len(m.tools); n > 0 && m.tools[n-1].id == res.ID {
		return m.tools[n-1]
	}
	t := &toolMetrics{id: res.ID, routeName: res.ID}
	if res.Case.Target != nil {
		t.routeName = res.Case.Target.Label()
	}
	m.tools = append(m.tools, t)
	return t
}

// add counts a result, whose data takes so many bytes as JSON.
func (f *figures) add(res *suite.Result, size int) {
	f.Add(res.Test.Outcome)
	if len(res.Test.Mismatches) > 0 {
		f.mismatched++
	}
	if !res.Called {
		return
	}
	if f.calls == 0 || res.Duration < f.fastest {
		f.fastest = res.Duration
	}
	f.calls++
	f.slowest = max(f.slowest, res.Duration)
	f.total += res.Duration
	f.largest = max(f.largest, size)
	f.totalBytes += size
}

// members are the figures as they are written. Times are in milliseconds.
func (f *figures) members() []ordjson.Member {
	list := []ordjson.Member{
		ordjson.Field("tests", ordjson.NewInt(f.Tests)),
		ordjson.Field("passed", ordjson.NewInt(f.Passed)),
		ordjson.Field("failed", ordjson.NewInt(f.Failed)),
		ordjson.Field("skipped", ordjson.NewInt(f.Skipped)),
	}
	if f.mismatched > 0 {
		list = append(list, ordjson.Field("mismatched", ordjson.NewInt(f.mismatched)))
	}
	if f.calls == 0 {
		return list
	}
	return append(list,
		ordjson.Field("responseTime", spread(f.fastest.Milliseconds(), f.total.Milliseconds()/int64(f.calls),
			f.slowest.Milliseconds())),
		ordjson.Field("dataBytes", ordjson.NewObject(
			ordjson.Field("mean", ordjson.NewInt(f.totalBytes/f.calls)),
			ordjson.Field("max", ordjson.NewInt(f.largest)))),
	)
}

func spread(low, mean, high int64) ordjson.Value {
	return ordjson.NewObject(ordjson.Field("min", ordjson.NewInt(int(low))),
		ordjson.Field("mean", ordjson.NewInt(int(mean))), ordjson.Field("max", ordjson.NewInt(int(high))))
}

// json is the content of metrics.json.
func (m *metrics) json(mode record.TestMode) ordjson.Value {
	list := []ordjson.Member{
		ordjson.Field("namespace", ordjson.NewString(m.namespace)),
		ordjson.Field("mode", ordjson.NewString(string(mode))),
	}
	if !m.began.IsZero() {
		list = append(list,
			ordjson.Field("startedAt", ordjson.NewString(record.Timestamp(m.began))),
			ordjson.Field("finishedAt", ordjson.NewString(record.Timestamp(m.ended))))
	}
	list = append(list, m.all.members()...)
	var tools []ordjson.Value
	for _, t := range m.tools {
		head := []ordjson.Member{ordjson.Field("routeName", ordjson.NewString(t.routeName)),
			ordjson.Field("id", ordjson.NewString(t.id))}
		tools = append(tools, ordjson.NewObject(append(head, t.members()...)...))
	}
	return ordjson.NewObject(append(list, ordjson.Field("routes", ordjson.NewArray(tools...)))...)
}
