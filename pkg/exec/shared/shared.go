// Package shared is what several processes share in a Redis or Valkey: when requests to a
// host may start, and answers that are kept. A server that is gone is no obstacle: its
// callers do without, and it is asked again after a while (decision "Without the shared
// server").
package shared

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// patience is how long a call waits for an answer of the server.
	patience = time.Second
	// rest is how long a server that gave no answer is not asked again.
	rest = 5 * time.Second
)

// Options say which server it is.
type Options struct {
	URL     string // redis://[USER:PASSWORD@]HOST[:PORT][/DB], or rediss:// for TLS
	Flag    string // that names it, for messages
	Without string // what holds while there is no answer: "each process limits alone"
	Getenv  func(string) string
	Note    func(text string) // for warnings; from several goroutines
}

// Server is a Redis that answers, or does not. It may be used by many goroutines.
type Server struct {
	options Options
	name    string // in messages
	client  *redis.Client

	mu    sync.Mutex
	again time.Time // when it is asked again; zero while it answers
	full  bool      // it has been reported to be full
}

// Open makes a server of a URL; nothing is sent. The error is one of usage.
func Open(o Options) (*Server, error) {
	a, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	options := &redis.Options{
		Addr: a.host, Username: a.user, Password: a.password, DB: a.db,
		DialTimeout: patience, ReadTimeout: patience, WriteTimeout: patience, ContextTimeoutEnabled: true,
		DialerRetries: 1, MaxRetries: 1, // a connection that was idle may be one of a server that is gone
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		DisableIdentity:          true,
	}
	if user := o.Getenv("REDIS_USER"); user != "" && a.user == "" {
		options.Username = user
	}
	if password := o.Getenv("REDIS_PASSWORD"); password != "" && a.password == "" {
		options.Password = password
	}
	if a.tls {
		if options.TLSConfig, err = tlsConfig(o.Getenv("REDIS_CA")); err != nil {
			return nil, err
		}
	}
	redis.SetLogger(silent{})
	return &Server{options: o, name: fmt.Sprintf("the Redis of %s, %s,", o.Flag, a.host),
		client: redis.NewClient(options)}, nil
}

// tlsConfig trusts the system's authorities, or those of a PEM file.
func tlsConfig(file string) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if file == "" {
		return c, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("REDIS_CA: %w", err)
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("REDIS_CA: %s holds no PEM certificate", file)
	}
	return c, nil
}

// silent is the logger of the library, whose errors its callers report.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// errResting says that the server is not asked for a while.
var errResting = errors.New("the server gave no answer, and is asked again later")

// ask calls do, for a short time, unless the server rests. Its errors have been reported.
func (s *Server) ask(ctx context.Context, do func(context.Context) error) error {
	probe, err := s.enter()
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = do(limited)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s", patience)
	}
	if err == nil || ctx.Err() == nil { // else it is the call that has ended
		s.heard(probe, err)
	}
	return err
}

// enter says whether the server is asked. After a rest one call does, before all others.
func (s *Server) enter() (probe bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch now := time.Now(); {
	case s.again.IsZero():
		return false, nil
	case now.Before(s.again):
		return false, errResting
	default:
		s.again = now.Add(rest)
		return true, nil
	}
}

// heard notes whether the server answers, and reports a change.
func (s *Server) heard(probe bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if redis.IsOOMError(err) { // it answers
		if !s.full {
			s.options.Note(fmt.Sprintf("warning: %s is full (%v): %s", s.name, err, s.options.Without))
		}
		s.full, err = true, nil
	}
	resting := !s.again.IsZero()
	switch {
	case err == nil && probe:
		s.again = time.Time{}
		s.options.Note(s.name + " is used again")
	case err != nil:
		s.again = time.Now().Add(rest)
		if !resting {
			s.options.Note(fmt.Sprintf("warning: %s cannot be used (%v): until it can, %s", s.name, err,
				s.options.Without))
		}
	}
}
