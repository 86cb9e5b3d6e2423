package poison

import (
	"strings"
	"unicode"
)

// forms are what is known by its form and not by its words.
var forms = []struct {
	kind    string
	chars   charSet // one of these is in such a piece: so most need no look
	matches func(piece string) bool
}{
	{"path", charsOf("./_"), isPrivate},
	{"config", charsOf("._"), containsAny("mcp.json", "claude_desktop_config", "mcp_config", ".npmrc")},
	{"env", charsOf("."), func(piece string) bool {
		return piece == ".env" || strings.HasSuffix(piece, "/.env") || strings.HasPrefix(piece, ".env.")
	}},
	{"persistent", charsOf("./"), containsAny(".bashrc", ".zshrc", ".bash_profile", ".profile", "CLAUDE.md",
		"AGENTS.md", "GEMINI.md", ".cursorrules", "MEMORY.md", "SOUL.md", "copilot-instructions", "settings.json",
		".git/hooks")},
	{"ext", charsOf(":@."), isAddress},
	{"mail", charsOf("@"), func(piece string) bool { return mail().MatchString(piece) }},
	{"ident", charsOf("_ABCDEFGHIJKLMNOPQRSTUVWXYZÄ"), isToolName},
	{"account", charsOf(digits), func(piece string) bool { return account().MatchString(piece) }},
	{"bank", charsOf(digits), func(piece string) bool { return bank().MatchString(piece) }},
	{"vital", charsOf("dt"), containsAny("authorized_keys", "sudoers", "/etc/hosts", "crontab", "LaunchAgents")},
}

// isPrivate reports whether a piece is a file or folder of keys.
func isPrivate(piece string) bool {
	for part := range strings.SplitSeq(piece, "/") {
		if privateFolders[part] {
			return true
		}
	}
	return piece == ".key" || privateFile(piece)
}

var privateFolders = map[string]bool{".ssh": true, ".aws": true, ".kube": true, ".gnupg": true, ".azure": true}

var privateFile = containsAny("id_rsa", "id_ed25519", "id_ecdsa", "/etc/passwd", "/etc/shadow", ".netrc",
	".git-credentials", ".pgpass", "wallet.dat", ".bash_history", ".zsh_history", "secrets.yaml", "secrets.yml",
	"credentials.json", "login.keychain", ".docker/config", "cookies.sqlite", "/proc/self/environ", ".pypirc",
	".config/gcloud", ".config/gh", ".vault-token", ".pem")

func containsAny(parts ...string) func(string) bool {
	return func(piece string) bool {
		for _, p := range parts {
			if strings.Contains(piece, p) {
				return true
			}
		}
		return false
	}
}

var (
	account = re(`^(0x[0-9a-fA-F]{40}|bc1[0-9a-z]{20,})$`)
	bank    = re(`^([A-Z]{2}\d{2}[A-Z0-9]{11,30}|\+\d{2,})$`)
	mail    = re(`^[\w.+-]+@[\w-]+(\.[\w-]+)+$`)
	host    = re(`^[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|net|org|io|dev|app|co|me|ai|cc|xyz|info|biz|top|site|` +
		`online|cloud|ru|cn|de|eu|uk|fr|es|it|nl|ch|tk|ws|onion|example|test|invalid|local)$`)
	page   = re(`^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?/\S*$`)
	number = re(`^\d{1,3}(\.\d{1,3}){3}(:\d+)?(/\S*)?$`)
)

// isAddress reports whether a piece is an address that something can be sent to.
func isAddress(piece string) bool {
	_, where, ok := strings.Cut(piece, "://")
	if ok && where != "" {
		return true
	}
	switch chars := charsOf(piece); {
	case chars.has('@') && mail().MatchString(piece):
		return true
	case !chars.has('.'):
		return false
	default:
		return chars.has('/') && page().MatchString(piece) || number().MatchString(piece)
	}
}

// isHost reports whether a piece may be a host; as e.g. a file may be, too.
func isHost(piece string) bool { return strings.Contains(piece, ".") && host().MatchString(piece) }

// leadsTo are the words before where something goes.
var leadsTo = map[string]bool{"to": true, "an": true, "nach": true, "à": true, "a": true, "vers": true, "naar": true,
	"at": true, "для": true, "на": true, "para": true, "ad": true, "do": true}

// articles are words of leadsTo that are articles in English, as before the text of
// a link: a [list](https://...).
var articles = map[string]bool{"a": true, "an": true}

// doing are the words that names of tools begin with, and those of parameters do
// not.
var doing = map[string]bool{"send": true, "get": true, "delete": true, "read": true, "write": true, "pay": true,
	"create": true, "update": true, "fetch": true, "run": true, "execute": true, "make": true, "transfer": true,
	"export": true, "remove": true, "upload": true, "find": true, "open": true, "notify": true, "log": true,
	"approve": true, "buy": true, "book": true, "submit": true, "forward": true, "edit": true, "save": true,
	"publish": true, "deploy": true, "commit": true, "push": true, "fs": true, "shell": true, "bash": true}

// isToolName reports whether a piece is the name of a tool: send_email, getBalance.
func isToolName(piece string) bool {
	first, rest, ok := strings.Cut(piece, "_")
	if !ok {
		i := strings.IndexFunc(piece, unicode.IsUpper)
		if i < 1 {
			return false
		}
		first, rest = piece[:i], piece[i:]
	}
	return doing[first] && rest != "" && rest != "id" && strings.IndexFunc(rest, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-'
	}) < 0
}
