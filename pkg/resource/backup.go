package resource

import (
	"errors"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/words"
)

// backupSuffix follows the name of a database in that of its backup (chapter
// 13, "Backup Strategy").
const backupSuffix = ".bak"

// backupPages is how many pages are copied between two looks at the clock.
const backupPages = 2048

// backup copies the database of a connection to a file beside it, whole and as
// it was at one moment, even while others write to it; an older backup is
// replaced when the new one is on the disk.
func backup(c *conn, path string) error {
	name := filepath.Base(path) + backupSuffix
	f, err := atomicfile.CreateOwn(path + backupSuffix)
	if err != nil {
		return fail(CodeNotStored, "the backup %s cannot be written: %v; nothing was changed", name, words.Cause(err))
	}
	defer f.Abort()
	if info, err := os.Stat(path); err == nil {
		_ = os.Chmod(f.Temp(), info.Mode().Perm())
	}
	if err := copyPages(c, f.Temp()); err != nil {
		var e *sqliteError
		if errors.As(err, &e) && e.rc.ToPrimary() == sqlite.ResultInterrupt {
			return fail(CodeNotStored, "the backup %s, which comes before the first change, was not done in time: "+
				"raise --query-time; nothing was changed", name)
		}
		return fail(CodeNotStored, "the backup %s cannot be written: %v; make room or check the permissions, nothing "+
			"was changed", name, err)
	}
	if err := f.Commit(); err != nil {
		return fail(CodeNotStored, "the backup %s cannot be written: %v; nothing was changed", name, words.Cause(err))
	}
	return nil
}

// copyPages copies a database page by page. The transaction keeps it as it is
// between two steps.
func copyPages(c *conn, to string) error {
	dest, err := openConn(c.ctx, to, sqlite.OpenReadWrite, false)
	if err != nil {
		return err
	}
	defer dest.close()
	if err := dest.exec("PRAGMA journal_mode = OFF"); err != nil {
		return err
	}
	defer func() { _ = c.own("ROLLBACK") }()
	if err := c.own("BEGIN", "SELECT count(*) FROM sqlite_master"); err != nil {
		return err
	}
	b, err := sqlite.NewBackup(dest.db, "main", c.db, "main")
	if err != nil {
		return dest.failure(err)
	}
	defer func() { _ = b.Close() }()
	for more := true; more; {
		if c.ctx.Err() != nil {
			return dest.failure(sqlite.ResultInterrupt.ToError())
		}
		if more, err = b.Step(backupPages); err != nil {
			return dest.failure(err)
		}
	}
	return nil
}
