package cli

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is how many bytes may wait between two commands of a pipe. The
// system's 64 KiB are five schemas: each command would stop and start for every
// handful of records that the next one takes.
const pipeSize = 1 << 20

// widenPipe makes room in the pipe that w writes to, if it is one and the
// system lets us.
func widenPipe(w io.Writer) {
	if f, ok := w.(*os.File); ok && isPipe(f) {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, pipeSize)
	}
}
