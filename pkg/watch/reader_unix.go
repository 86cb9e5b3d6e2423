//go:build unix

package watch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// ReaderGone returns a channel that is closed when the pipe that f writes to
// has no reader any more. A watch that has nothing to write would not notice.
// The channel stays open if f is not a pipe.
func ReaderGone(f *os.File) <-chan struct{} {
	gone := make(chan struct{})
	if info, err := f.Stat(); err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return gone
	}
	go func() {
		fds := []unix.PollFd{{Fd: int32(f.Fd())}} // errors are polled for unasked
		for {
			_, err := unix.Poll(fds, -1)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err == nil && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				close(gone)
			}
			return
		}
	}()
	return gone
}
