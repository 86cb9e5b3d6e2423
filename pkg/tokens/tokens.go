// Package tokens counts what a text costs a model.
package tokens

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// encoder is made when it is first needed: that takes some 20 ms, and servers must
// start at once.
var encoder = sync.OnceValue(codec.NewO200kBase)

// Count is the number of tokens of a text by o200k_base, the vocabulary of OpenAI's
// models. Those of others are not all published; they count somewhat differently.
func Count(text string) int {
	n, err := encoder().Count(text)
	if err != nil { // only a limit on time makes it fail, and none is set
		panic(err)
	}
	return n
}
