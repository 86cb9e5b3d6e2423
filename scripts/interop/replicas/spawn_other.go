//go:build !linux

package main

import "syscall"

func endsWithParent() *syscall.SysProcAttr { return nil }
