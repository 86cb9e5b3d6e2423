package lsp

// These are the parts of the Language Server Protocol 3.17 that the server uses, by
// the names that they have there, with our spelling.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // in UTF-16 code units
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type documentID struct {
	URI string `json:"uri"`
}

type initializeParams struct {
	RootURI          string       `json:"rootUri"`
	WorkspaceFolders []documentID `json:"workspaceFolders"`
	Capabilities     struct {
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type openParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

// documentParams are those of requests and notifications about a document.
type documentParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
	Range        span       `json:"range"` // of a code action
	Context      struct {
		Only               []string `json:"only"`               // kinds of actions, of a code action
		IncludeDeclaration bool     `json:"includeDeclaration"` // of references
	} `json:"context"`
}

type watchedParams struct {
	Changes []documentID `json:"changes"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range           span            `json:"range"`
	Severity        int             `json:"severity"`
	Code            string          `json:"code"`
	CodeDescription codeDescription `json:"codeDescription"`
	Source          string          `json:"source"`
	Message         string          `json:"message"`
}

type codeDescription struct {
	Href string `json:"href"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

// capabilities are what the server can do.
type capabilities struct {
	PositionEncoding   string    `json:"positionEncoding"`
	TextDocumentSync   syncKind  `json:"textDocumentSync"`
	CodeActionProvider codeKinds `json:"codeActionProvider"`
	HoverProvider      bool      `json:"hoverProvider"`
	CompletionProvider triggers  `json:"completionProvider"`
	DefinitionProvider bool      `json:"definitionProvider"`
	ReferencesProvider bool      `json:"referencesProvider"`
}

type syncKind struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

type triggers struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	TextEdit      textEdit `json:"textEdit"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type codeKinds struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

const (
	syncFull   = 1 // the whole text comes with each change
	logWarning = 2
)

const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.fmcp"
)
