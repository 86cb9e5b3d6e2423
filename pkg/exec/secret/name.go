package secret

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// names are what parameters are called that hold secrets, without case and signs.
const names = " password passwd passphrase secret clientsecret apikey apisecret accesstoken refreshtoken " +
	"authorization privatekey credentials "

// Named says whether a parameter is called as those that hold a secret of the caller:
// it is neither logged nor asked for in a form.
func Named(key string) bool { return strings.Contains(names, " "+words.Letters(key)+" ") }
