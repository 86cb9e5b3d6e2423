package watch

import (
	"fmt"
	"syscall"
)

// remoteTypes are the file systems whose files may change without the kernel
// knowing: they accept a watch and never notify. The numbers are those of
// statfs(2).
var remoteTypes = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB2",
	0x01021997: "9P",
	0x5346414f: "AFS",
	0x00c36400: "Ceph",
	0x65735546: "FUSE",
	0x786f4256: "VirtualBox",
	0x6a656a63: "virtiofs",
	0xbacbacbc: "VMware",
}

// remote returns an error if the folder is on a file system that does not
// notify of changes.
func remote(path string) error {
	var stat syscall.Statfs_t
	if syscall.Statfs(path, &stat) != nil {
		return nil // the watch fails for the same reason
	}
	if name, ok := remoteTypes[uint32(stat.Type)]; ok {
		return fmt.Errorf("%s is on a %s file system, which does not report changes", path, name)
	}
	return nil
}
