package shared

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"time"

	"github.com/redis/go-redis/v9"
)

// start takes the next start of a host, by the clock of the server: those of machines
// differ. What is kept is when the start after that is, in microseconds, until then.
// Whatever else stands there is none: all bounds come first, as min and max of Lua give
// their first argument where another is no number.
var start = redis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kept = redis.pcall('GET', KEYS[1])
local next = now
if type(kept) == 'string' then
  next = math.max(now, math.min(now + (redis.call('PTTL', KEYS[1]) + 1) * 1000, tonumber(kept) or 0))
end
local interval, most = tonumber(ARGV[1]), tonumber(ARGV[2])
if next - now <= most then
  redis.call('SET', KEYS[1], string.format('%.0f', next + interval), 'PX',
    string.format('%.0f', math.ceil((next + interval - now) / 1000)))
end
return next - now
`)

// Start implements fetch.Starts.
func (s *Server) Start(ctx context.Context, host string, interval, most time.Duration) (wait time.Duration, err error) {
	err = s.ask(ctx, func(ctx context.Context) error {
		n, err := start.Run(ctx, s.client, []string{startKey(host)}, micros(interval), micros(most)).Int64()
		wait = time.Duration(n) * time.Microsecond
		return err
	})
	return wait, err
}

// startKey is without the name of the host, of which a server parameter may be a part.
func startKey(host string) string {
	sum := sha256.Sum256([]byte(host))
	return "fmcp:start:" + hex.EncodeToString(sum[:16])
}

// micros are those of a time, rounded up: a rate is not exceeded.
func micros(d time.Duration) int64 { return int64(math.Ceil(float64(d) / float64(time.Microsecond))) }
