// Package serve is the MCP server over a resolved catalog: tools are listed
// and called over a stream of JSON-RPC lines.
//
// The protocol library negotiates versions and answers what is not ours; it
// sits behind the interface engine, in one file. The loop around it, the list
// of tools and the calls are our own, because the library's loop loses answers
// at the end of the input, cannot cancel a queued call, rounds request ids and
// encodes the whole list again for every request.
//
// One session looks like this:
//
//	lines ──▶ session.receive ──┬──▶ engine               initialize, ping, …
//	                            ├──▶ engine + pages       tools/list
//	                            └──▶ engine + call ──▶ Caller ──▶ envelope
//
// Every answer is written whole under one lock. A client that stops reading
// stops the reader too: nothing is buffered without limit.
package serve
