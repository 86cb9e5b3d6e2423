package model

// The MIME types of answers (chapter 04, "Supported MIME-Types").
const (
	MIMEJSON = "application/json"
	MIMEPNG  = "image/png"
	MIMEText = "text/plain"
)

// MIMETypes are those that output.mimeType may be.
var MIMETypes = []string{MIMEJSON, MIMEPNG, MIMEText}

// OutputTypes are the values of type in output.schema (chapter 04).
var OutputTypes = []string{"string", "number", "boolean", "object", "array"}

// MaxOutputDepth is how many levels of schemas an output may have, the root
// counted (chapter 04, "Nesting Depth Limit"; VAL063).
const MaxOutputDepth = 4
