//go:build linux

package script

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const rowsSchema = `export const main = {
	namespace: 'rows', name: 'Rows', description: 'Rows', version: '4.0.0', root: 'https://%s',
	tools: { getRows: { method: 'GET', path: '/rows/{{n}}', description: 'Many rows', parameters: [
		{ position: { key: 'n', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'number()', options: [] } }
	], tests: [] } } }
`

// A client that does not read makes the server wait, not grow: 300 answers of
// 1.6 MB, or of 4 MB, take no more than 64 MB, and arrive once it reads. Of that the
// first are looked at: all of them are more than a gigabyte.
func TestServeStalledClient(t *testing.T) {
	for _, tc := range []struct {
		rows int // of 31 bytes
		flag string
	}{
		{50_000, "--max-result=1MiB"},
		{130_000, "--max-result=1MiB"},
		{130_000, "--max-result=100KiB"},
	} {
		t.Run(fmt.Sprint(tc.rows, tc.flag), func(t *testing.T) { stall(t, tc.rows, tc.flag) })
	}
}

func stall(t *testing.T, rows int, flag string) {
	const calls, most = 300, slower * 64 << 10 // KiB
	dir, u, flags := apiFolder(t)
	if err := os.MkdirAll(filepath.Join(dir, "rows/providers/rows"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rows/providers/rows/rows.mjs"), fmt.Appendf(nil, rowsSchema, u.host()),
		0o666); err != nil {
		t.Fatal(err)
	}
	p := start(t, dir, append([]string{"fmcp-serve", "--profile", "community", "rows", flag}, flags...)...)
	p.write(initialize)
	p.line()
	base := peak(t, p)
	for id := 1; id <= calls; id++ {
		p.write(call(id, "get_rows_rows", fmt.Sprintf(`{"n":%d}`, rows)))
	}
	// It has come to rest when the upstream has got no call for a while.
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for seen := int64(-1); seen != u.calls.Load() || seen == 0; <-tick.C {
		seen = u.calls.Load()
	}
	if n := u.calls.Load(); n == calls {
		t.Errorf("all %d calls went on", n)
	}
	stalled := peak(t, p) - base
	if stalled > most {
		t.Errorf("the server has grown by %d KiB, want %d at most", stalled, most)
	}
	for range 5 {
		if answer := p.line(); !strings.Contains(answer, `"result":`) || strings.Contains(answer, `"isError"`) {
			t.Fatalf("answer %.200s", answer)
		}
	}
	t.Logf("%d KiB, of which %d while nobody read", peak(t, p)-base, stalled)
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak is how much memory a process has had at most, in KiB.
func peak(t *testing.T, p *process) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	kib, err := strconv.Atoi(highWater.FindStringSubmatch(string(status))[1])
	if err != nil {
		t.Fatal(err)
	}
	return kib
}
