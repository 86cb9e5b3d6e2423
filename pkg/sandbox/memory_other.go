//go:build !linux

package sandbox

import "time"

// meter cannot tell on this system how much memory a worker holds, which watches
// itself, nor how long it ran: all the time in which it waits for no fetch counts.
type meter struct{}

func newMeter(int) meter { return meter{} }

func (meter) close() {}

func (meter) resident() int64 { return 0 }

func (meter) processor() (time.Duration, bool) { return 0, false }
