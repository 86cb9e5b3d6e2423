package queue

import (
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/nats"
)

// cluster is some servers, and the addresses of a queue there.
func cluster(t *testing.T, n int) (servers []*nats.Server, o Options) {
	t.Helper()
	servers = nats.Start(t, n)
	var urls []string
	for _, s := range servers {
		urls = append(urls, s.URL)
	}
	o = options(strings.Join(urls, ","), "REQUESTS", "answers")
	o.Setup = true
	return servers, o
}

// Among three servers a stream has three copies. Several processes may make it, at the same
// time and while the servers start.
func TestOpenCluster(t *testing.T) {
	t.Parallel() // most of it is waiting
	_, o := cluster(t, 3)
	var opening sync.WaitGroup
	queues := make([]*Queue, 6)
	for i := range queues {
		opening.Go(func() {
			var err error
			if queues[i], err = Open(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
	opening.Wait()
	for _, q := range queues {
		if q != nil {
			defer q.Close()
		}
	}
	q := queues[0]
	if q == nil {
		return
	}
	for _, name := range []string{"REQUESTS", "answers"} {
		s, err := q.answers.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().Config.Replicas; n != 3 {
			t.Errorf("%s: %d copies", name, n)
		}
	}
}

// A cluster that cannot keep three copies is not given one: a server that is away would
// take all with it.
func TestOpenSmallCluster(t *testing.T) {
	t.Parallel()
	_, o := cluster(t, 2)
	await.Until(t, "the servers refuse the stream", func() bool {
		q, err := Open(t.Context(), o)
		if err == nil {
			q.Close()
			t.Fatal("there is a stream")
		}
		return strings.Contains(err.Error(), "stream REQUESTS cannot be made in three copies: ") &&
			strings.Contains(err.Error(), "start three servers, or make the stream with the copies that you want")
	})
}
