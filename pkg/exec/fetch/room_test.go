package fetch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(10 * answerWeight)
		first, endFirst := context.WithCancel(t.Context())
		call := r.For(first)
		if err := takeRoom(call, 20); err != nil { // alone
			t.Fatal(err)
		}
		if err := takeRoom(call, 5); err != nil { // it holds some
			t.Fatal(err)
		}
		second, endSecond := context.WithCancel(t.Context())
		gone, cancel := context.WithCancel(t.Context())
		entered, refused := make(chan error, 1), make(chan error, 1)
		go func() { entered <- takeRoom(r.For(second), 6) }()
		go func() { refused <- takeRoom(r.For(gone), 6) }()
		synctest.Wait()
		if len(entered) > 0 || len(refused) > 0 {
			t.Fatal("there is no room, and no one waits")
		}
		cancel()
		if err := <-refused; !errors.Is(err, context.Canceled) {
			t.Errorf("a call that was cancelled waits: %v", err)
		}
		endFirst()
		if err := <-entered; err != nil {
			t.Error(err)
		}
		endSecond()
		synctest.Wait()
		if r.used != 0 {
			t.Errorf("%d bytes are held without a holder", r.used)
		}
		if err := takeRoom(t.Context(), 1<<40); err != nil { // no room is asked for
			t.Error(err)
		}
	})
}
