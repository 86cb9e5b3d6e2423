package shared

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
)

const (
	answerPrefix = "fmcp:answer:"
	turnPrefix   = "fmcp:turn:"
	secretKey    = "fmcp:secret"
)

// secret gives the one that is kept, or keeps the candidate.
var secret = redis.NewScript(`
local kept = redis.call('GET', KEYS[1])
if kept then return kept end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`)

// Secret implements cache.Shared.
func (s *Server) Secret(ctx context.Context, candidate []byte) (found []byte, err error) {
	err = s.ask(ctx, func(ctx context.Context) error {
		text, err := secret.Run(ctx, s.client, []string{secretKey}, candidate).Text()
		found = []byte(text)
		return err
	})
	return found, err
}

// take gives an answer and how long it is kept, or the holder of the turn. What else may
// stand there, or has no end, is nothing. In a server that is full nobody has a turn.
var take = redis.NewScript(`
local size = redis.pcall('STRLEN', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if type(size) == 'number' and left > 0 and size <= tonumber(ARGV[2]) then
  return {redis.call('GET', KEYS[1]), left}
end
if ARGV[1] == '' then return {'', 0} end
redis.pcall('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[3])
local holder = redis.pcall('GET', KEYS[2])
if type(holder) ~= 'string' or redis.call('PTTL', KEYS[2]) < 0 then holder = '' end
return {holder, 0}
`)

// Take implements cache.Shared.
func (s *Server) Take(ctx context.Context, name, holder string, most int64, turn time.Duration) (t cache.Taken,
	err error) {
	err = s.ask(ctx, func(ctx context.Context) error {
		list, err := take.Run(ctx, s.client, []string{answerPrefix + name, turnPrefix + name}, holder, most,
			turn.Milliseconds()).Slice()
		if err != nil {
			return err
		}
		text, left := list[0].(string), list[1].(int64)
		if left == 0 {
			t = cache.Taken{Holder: text}
		} else {
			t = cache.Taken{Answer: []byte(text), Left: time.Duration(left) * time.Millisecond}
		}
		return nil
	})
	return t, err
}

// Put implements cache.Shared.
func (s *Server) Put(ctx context.Context, name string, answer []byte, ttl time.Duration) error {
	return s.ask(ctx, func(ctx context.Context) error {
		return s.client.Set(ctx, answerPrefix+name, answer, ttl).Err()
	})
}

// hold has a turn end after a time; 0 is now.
var hold = redis.NewScript(`
if redis.pcall('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`)

// Hold implements cache.Shared.
func (s *Server) Hold(ctx context.Context, name, holder string, turn time.Duration) error {
	return s.ask(ctx, func(ctx context.Context) error {
		return hold.Run(ctx, s.client, []string{turnPrefix + name}, holder, turn.Milliseconds()).Err()
	})
}
