package code_test

import _ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the test its own worker
