package poison

import (
	"regexp"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// sign is something that a text has beside the meaning of its words.
type sign struct {
	code      string
	described bool     // not looked for where orders to the model belong
	needs     []string // one of these is in the text, in small letters, where the sign is: so most need no look
	what      string
	find      func() *regexp.Regexp
}

// What signs are, as messages say it.
const (
	escape  = "an escape sequence, by which a terminal hides or rewrites text"
	remark  = "a comment, which is not shown"
	styled  = "text that its style hides"
	pushed  = "text that is pushed out of sight"
	mark    = "a marker that tells a model who speaks"
	tag     = "a tag, which sets an order apart from the description"
	voice   = "words in somebody else's name, or addressed to the model"
	fetched = "a command that runs what it fetches"
	harm    = "a command that gives somebody else control of this machine, or destroys something"
	leak    = "an image that carries what the model knows to another server"
	consent = "a setting that lets calls run without asking"
)

// re is an expression that is compiled when it is first used: most commands need none.
var re = lazy.Regexp

var signs = []sign{
	{"MCP042", false, []string{"\x1b", "\u009b"}, escape, re(`[\x1b\x{9b}](?:[\[\]()#%PX^_][^\x1b]{0,60})?`)},
	{"MCP042", false, []string{`\x1b[`, `\u001b[`, `\033[`, `\e[`}, escape,
		re(`(?:\\x1[bB]|\\u001[bB]|\\033|\\e)\[[0-9;]*[A-Za-z]?`)},

	{"MCP043", false, []string{"]:"}, remark, re(`(?m)^\s*\[(?://|comment|_|#)[^\]]*\]:\s*(?:#|<>|/)\s*[("'].*$`)},
	{"MCP043", false, []string{"none", "hidden", "opacity", "font-size", "color", "-9", "-1", "-5"}, styled,
		re(`(?i)<[a-z]+[^<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|` +
			`font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*[;"']|opacity\s*:\s*0(?:\.0+)?\s*[;"']|` +
			`color\s*[:=]\s*["']?(?:#fff\b|#ffffff|white|transparent)|` +
			`\shidden(?:=[^<>]*)?\s*>|(?:left|top|text-indent)\s*:\s*-\d{3,})`)},
	{"MCP043", true, []string{"\n\n\n\n\n\n\n\n", "\n \n \n \n", "\r\n\r\n\r\n\r\n"}, pushed,
		re(`(?:\r?\n[ \t]*){15,}\S.{0,60}`)},
	{"MCP043", true, []string{"                    ", "\t\t\t\t\t\t\t\t\t\t", "\u00a0\u00a0\u00a0\u00a0",
		"\u3000\u3000\u3000\u3000"}, pushed, re(`[ \t\x{a0}\x{2000}-\x{200a}\x{3000}]{80,}\S.{0,60}`)},

	{"MCP044", false, []string{"<|"}, mark, re(`<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|` +
		`start_header_id|end_header_id|eot_id|begin_of_text)[^|]{0,20}\|>`)},
	{"MCP044", false, []string{"[inst]", "[/inst]", "<sys>>", "<start_of_turn>", "<end_of_turn>", "<function_calls",
		"<invoke", "<tool_", "<user>", "</user>", "<human>"}, mark, re(`\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|` +
		`<(?:function_calls|invoke|tool_(?:call|result|response|output)|function_results)\b|` +
		`<(?:user|human)>[^<@|]{15,}</`)},
	{"MCP044", true, []string{">"}, tag, re(`(?i)</?(?:[a-z]+[_:])*(?:important|critical|urgent|mandatory|attention|` +
		`override|instructions?|directives?|sys|system|assistant|developer|admin|administrator|hidden|sysprompt|` +
		`tool_description)(?:[_:][a-z]+)*\s*/?>(?:\s*[\pL\pN]+[,:]?){3}`)},
	{"MCP044", true, []string{"</"}, tag,
		re(`(?i)</(?:[a-z]+[_:])*(?:important|critical|override|instructions?|system|` +
			`assistant|developer|admin|tool_description)(?:[_:][a-z]+)*>`)},
	{"MCP044", true, []string{"system", "assistant", "developer", "admin", "override"}, voice,
		re(`(?m)(?:^|[.\n])\s*[\[({*#]*\s*(?:[A-Z]+ )?(?:SYSTEM|ASSISTANT|DEVELOPER|ADMIN|OVERRIDE)(?: [A-Z]+)?` +
			`\b[^\n\w]{0,3}[\]:}*)][\s*]*\S+`)},
	{"MCP044", true, []string{"[important", "[urgent", "[mandatory", "[hidden", "[internal", "[note to"}, tag,
		re(`(?i)\[(?:important|urgent|mandatory|hidden|internal|note to)\b[^\]\n]{0,40}\](?:\s+\S+|[^\s(]\S*)`)},
	{"MCP044", true, []string{"system", "assistant", "ai:"}, voice,
		re(`(?m)^\s*(?:System|Assistant|Human|User)\s?:\s+[^\n]*\n(?s:.*?)^\s*(?:System|Assistant|AI)\s?:`)},
	{"MCP044", true, []string{"```"}, mark, re("```(?:system|assistant|developer|instructions?)\\b")},
	{"MCP044", true, []string{"role"}, mark, re(`["']role["']\s*:\s*["'](?:system|developer)["']`)},
	{"MCP044", true, []string{"system:"}, voice, re(`(?m)^\s*(?:System|SYSTEM):(?:\s+\S+){4}`)},
	{"MCP044", true, []string{"says:", "said:", "writes:"}, voice,
		re(`(?i)\bthe (?:user|human|operator|admin) (?:says|said|has said|writes)\s*:\s*\S+`)},
	{"MCP044", true, []string{"end of "}, voice,
		re(`(?i)\bend of (?:the )?(?:tool )?(?:description|instructions?|prompt)\b`)},
	{"MCP044", true, []string{"##"}, voice,
		re(`(?mi)^#{2,}\s*(?:instructions?|system(?: prompt)?|response|assistant|new instructions)\s*:?\s*$`)},
	{"MCP044", true, []string{"--", "==", "**", "##", "__"}, voice,
		re(`(?mi)^\s*[-*_=#]{2,}\s*(?:end|begin|start)\s+(?:of\s+)?(?:the\s+)?(?:new\s+)?` +
			`(?:tool|description|system|user|prompt|instructions?|context|message|input|output)`)},
	{"MCP044", true, []string{"ai", "llm", "assistant", "model", "claude", "gpt", "ki"}, voice,
		re(`(?mi)^\W*(?:(?:dear|attention|hey)\s+)?(?:ai|llms?|assistants?|ai (?:agents?|assistants?|models?)|` +
			`language models?|claude|chatgpt|ki)\s*[:,]\s*\S+`)},

	{"MCP050", false, []string{"curl", "wget", "fetch", "iwr", "webrequest"}, fetched,
		re(`(?i)\b(?:curl|wget|fetch|iwr|` +
			`invoke-webrequest)\b[^\n|;]{1,200}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|iex)\b|` +
			`(?i)\b(?:curl|wget)\b[^\n|;&]{1,200}(?:&&|;)\s*(?:sudo\s+)?(?:(?:ba|z)?sh\s|chmod\s+\+x|\./)`)},
	{"MCP050", false, []string{"curl", "wget"}, fetched,
		re(`(?i)\b(?:ba|z)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)`)},
	{"MCP050", false, []string{"install"}, fetched,
		re(`(?i)\b(?:pip3?|npm|npx|uv|gem|go)\s+(?:-\S+\s+)*install\s+(?:-\S+\s+)*(?:https?|git\+\w+)://`)},
	{"MCP050", false, []string{"iex", "invoke-expression"}, fetched,
		re(`(?i)\b(?:iex|invoke-expression)\b[^\n]{0,40}(?:download|iwr|webrequest)|` +
			`(?:irm|downloadstring)\b[^\n]{1,200}\|\s*iex`)},
	{"MCP050", false, []string{"nc ", "ncat", "/dev/tcp/", "mkfifo"}, harm,
		re(`(?i)\bnc(?:at)?\b[^\n]{1,60}\s-e\b|/dev/tcp/|\bmkfifo\b[^\n]*\|\s*(?:nc|sh)`)},
	{"MCP050", false, []string{"base64", "atob", "powershell"}, harm,
		re(`(?i)\bbase64\s+(?:-d|--decode)\b[^\n]{0,40}\|\s*(?:ba)?sh|\bexec\(\s*base64|\beval\(\s*(?:atob|base64)|` +
			`powershell[^\n]{0,40}\s-e(?:nc|ncodedcommand)\b`)},
	{"MCP050", false, []string{"chmod"}, harm, re(`\bchmod\s+(?:-R\s+)?0?777\s+[/~]`)},
	{"MCP049", false, []string{"]("}, leak,
		re(`!\[[^\]]*\]\(https?://[^)]*(?:<[a-zA-Z ]+>|[^{]\{[a-zA-Z _]+\}[^}]|conversation|` +
			`history|summary|secret|password|DATA\b)`)},
	{"MCP050", false, []string{"rm -", "mkfs.", "dd if=", ":(){"}, harm,
		re(`\brm\s+-[a-z]*r[a-z]*\s+(?:--no-preserve-root\s+)?(?:~|/|\$HOME)(?:\s|$|/\s|/?\*|/$)|\bmkfs\.|` +
			`\bdd\s+if=[^\n]*of=/dev/|:\(\)\s*\{\s*:\|:`)},
	{"MCP050", false, []string{".ssh", ".aws", ".env", "credentials", "id_rsa", "/etc/", "$("}, harm,
		re(`\b(?:cat|tar|zip)\b[^\n|]*(?:\.ssh|\.aws|\.env|credentials)[^\n]*\|\s*(?:base64|curl|nc)|` +
			`\bcurl\b[^\n]*\s(?:-d|--data(?:-binary)?|-F|-T|--upload-file)\s*\S*(?:\$\(|~/\.|/etc/|\.ssh|\.aws|` +
			`\.env|credentials|id_rsa)`)},
	{"MCP050", false, []string{"approve", "skip", "enableall", "--yolo", "bypass"}, consent,
		re(`(?i)autoapprove"?\s*[:=]\s*(?:true|\[\s*"|"?\*)|` +
			`\b(?:enable|turn on|activate|set|switch on|use)\s+(?:\S+\s+){0,3}\S*auto-?approve|` +
			`dangerously-?skip-?permissions|enableAllProjectMcpServers|--yolo\b|bypassPermissions`)},
}

// need is a text of the needs of a sign, and what it is written with: most texts lack
// a character of each.
type need struct {
	text  string
	chars charSet
}

type needs []need

// anyIn reports whether one is in a text, which is written with chars.
func (list needs) anyIn(text string, chars charSet) bool {
	for i := range list {
		if n := &list[i]; chars.all(n.chars) && strings.Contains(text, n.text) {
			return true
		}
	}
	return false
}

// theNeeds are those of the signs.
var theNeeds = sync.OnceValue(func() []needs {
	list := make([]needs, len(signs))
	for i, s := range signs {
		for _, text := range s.needs {
			list[i] = append(list[i], need{text, charsOf(text)})
		}
	}
	return list
})
