package resource

import (
	"encoding/binary"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// progressEvery is after how many steps of its virtual machine SQLite asks
// whether to go on: often enough for limits of milliseconds, seldom enough to
// cost nothing.
const progressEvery = 1000

// onProgress stops a statement whose time is over or whose caller is gone.
func onProgress(_ *libc.TLS, id uintptr) int32 {
	if c, ok := conns.Load(id); ok && c.(*conn).over() {
		return 1
	}
	return 0
}

// lockWait is how long a lock of another process is waited for.
const lockWait = 5 * time.Second

// onBusy waits for a lock, a little longer each time.
func onBusy(_ *libc.TLS, id uintptr, tries int32) int32 {
	v, ok := conns.Load(id)
	if !ok {
		return 0
	}
	c := v.(*conn)
	if c.ctx == nil || c.over() || time.Now().After(c.waitEnd) {
		return 0
	}
	wait := time.NewTimer(min(time.Duration(tries+1)*time.Millisecond, 20*time.Millisecond))
	defer wait.Stop()
	select {
	case <-c.ctx.Done():
		return 0
	case <-wait.C:
		return 1
	}
}

// onAuthorize asks what the connection allows, for each thing that a statement
// would do, when the statement is prepared.
func onAuthorize(_ *libc.TLS, id uintptr, action int32, arg1, arg2, _, _ uintptr) int32 {
	v, ok := conns.Load(id)
	if !ok {
		return lib.SQLITE_DENY
	}
	c := v.(*conn)
	first, second := libc.GoString(arg1), libc.GoString(arg2)
	if c.allowed == nil || c.allowed(action, first, second) {
		return lib.SQLITE_OK
	}
	c.denied = nameOf(action, first, second)
	return lib.SQLITE_DENY
}

// funcPointer is a function as the library takes it for a C pointer: a func
// value is a pointer to read-only data, which does not move. Only functions
// that are declared, and no closures, may be passed.
func funcPointer[T any](f T) uintptr {
	return *(*uintptr)(unsafe.Pointer(&struct{ f T }{f}))
}

// pointerAt is the pointer that is stored at an address of the library's
// memory.
func pointerAt(p uintptr) uintptr {
	b := libc.GoBytes(p, int(unsafe.Sizeof(p)))
	if len(b) == 8 {
		return uintptr(binary.NativeEndian.Uint64(b))
	}
	return uintptr(binary.NativeEndian.Uint32(b))
}
