package cli

import "github.com/alecthomas/kong"

// OrAll is the value of a flag that means the usual things where it has no value, and
// all where it is =all.
type OrAll string

// The values of OrAll; "" is that of a flag that is not given.
const (
	Usual OrAll = "usual"
	All   OrAll = "all"
)

// IsBool says that the flag may stand alone.
func (o *OrAll) IsBool() bool { return true }

// Decode reads the value.
func (o *OrAll) Decode(ctx *kong.DecodeContext) error {
	*o = Usual
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		return choose(o, ctx.Scan.Pop().String(), []string{string(All)})
	}
	return nil
}
