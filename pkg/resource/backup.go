package resource

import (
	"errors"
	"os"
	"path/filepath"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
)

// backupSuffix is behind the name of a database's backup (chapter 13, "Backup
// Strategy").
const backupSuffix = ".bak"

// backupPages is how many pages are copied between two looks at the clock.
const backupPages = 2048

// backup copies the database of a connection beside it, whole and as it was at
// one moment, whoever writes to it meanwhile; an older backup is replaced when
// the new one is on the disk.
func backup(c *conn, path string) error {
	name := filepath.Base(path) + backupSuffix
	f, err := atomicfile.CreateOwn(path + backupSuffix)
	if err != nil {
		return fail(CodeNotStored, "the backup %s cannot be written: %v; nothing was changed", name, cause(err))
	}
	defer f.Abort()
	if info, err := os.Stat(path); err == nil {
		_ = os.Chmod(f.Temp(), info.Mode().Perm())
	}
	if err := copyPages(c, f.Temp()); err != nil {
		var e *sqliteError
		if errors.As(err, &e) && e.rc&primary == lib.SQLITE_INTERRUPT {
			return fail(CodeNotStored, "the backup %s, which comes before the first change, was not done in time: raise --query-time; nothing was changed", name)
		}
		return fail(CodeNotStored, "the backup %s cannot be written: %v; make room or check the permissions, nothing was changed", name, err)
	}
	if err := f.Commit(); err != nil {
		return fail(CodeNotStored, "the backup %s cannot be written: %v; nothing was changed", name, cause(err))
	}
	return nil
}

// copyPages copies a database page by page. The transaction keeps it as it is
// between two steps.
func copyPages(c *conn, to string) error {
	dest, err := openConn(to, lib.SQLITE_OPEN_READWRITE, false)
	if err != nil {
		return err
	}
	defer dest.close()
	if err := dest.exec("PRAGMA journal_mode = OFF"); err != nil {
		return err
	}
	if err := c.own("BEGIN"); err != nil {
		return err
	}
	defer func() { _ = c.rollback() }()
	if err := c.own("SELECT count(*) FROM sqlite_master"); err != nil {
		return err
	}
	main, err := libc.CString("main")
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, main)
	b := lib.Xsqlite3_backup_init(dest.tls, dest.db, main, c.db, main)
	if b == 0 {
		return dest.failure(lib.Xsqlite3_errcode(dest.tls, dest.db))
	}
	rc := int32(lib.SQLITE_OK)
	for rc == lib.SQLITE_OK {
		if c.over() {
			rc = lib.SQLITE_INTERRUPT
			break
		}
		rc = lib.Xsqlite3_backup_step(dest.tls, b, backupPages)
	}
	if end := lib.Xsqlite3_backup_finish(dest.tls, b); rc == lib.SQLITE_DONE {
		rc = end
	}
	if rc != lib.SQLITE_OK {
		return dest.failure(rc)
	}
	return nil
}
