package record_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestTestSeverity(t *testing.T) {
	for _, tt := range []struct {
		test record.Test
		want record.Severity
	}{
		{record.Test{Outcome: record.TestPassed}, record.SeverityOff},
		{record.Test{Outcome: record.TestSkipped, Missing: []string{"K"}}, record.SeverityInfo},
		{record.Test{Outcome: record.TestPassed, Mismatches: []string{"m"}}, record.SeverityWarning},
		{record.Test{Outcome: record.TestFailed, Mismatches: []string{"m"}}, record.SeverityError},
	} {
		if got := tt.test.Severity(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.test, got, tt.want)
		}
	}
}
