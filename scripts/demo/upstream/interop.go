package main

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"strconv"
	"time"
)

// interop are the paths of testdata/interop, whose tools other implementations of
// MCP call.
func interop(mux *http.ServeMux) {
	mux.HandleFunc("GET /interop/text", func(w http.ResponseWriter, _ *http.Request) {
		say(w, "This is a simple text response for testing.")
	})
	mux.HandleFunc("GET /interop/image", func(w http.ResponseWriter, _ *http.Request) {
		var b bytes.Buffer
		_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))) // a buffer takes all
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(b.Bytes())
	})
	mux.HandleFunc("GET /interop/error", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusUnprocessableEntity, "this always fails")
	})
	// Long enough for a client to hear three times that it goes on.
	mux.HandleFunc("GET /interop/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(3500 * time.Millisecond):
			say(w, "It took its time.")
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("GET /interop/greet", func(w http.ResponseWriter, r *http.Request) {
		say(w, "Hello, "+r.URL.Query().Get("name")+"!")
	})
	mux.HandleFunc("GET /interop/rows", func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit")) // fmcp-serve gives a number
		rows := make([]map[string]any, limit)
		for i := range rows {
			rows[i] = map[string]any{"id": i + 1, "text": "a row of the table"}
		}
		answer(w, http.StatusOK, rows)
	})
	mux.HandleFunc("GET /interop/confirm", func(w http.ResponseWriter, _ *http.Request) {
		say(w, "state-ok")
	})
}

func say(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // a client that is gone needs no answer
}
