// Package serve is the MCP server over a resolved catalog: tools are listed
// and called, resources read, and prompts and skills delivered, over a stream of
// JSON-RPC lines.
//
// The messages are those of the protocol library's types. What there is in
// which revision of the protocol, and who answers it, says the table methods.
// The loop is our own, because the library's loses answers at the end of the
// input, cannot cancel a queued call, rounds request ids and encodes the whole
// list again for every request.
//
// One session looks like this:
//
//	lines ──▶ session.receive ──▶ methods ──┬──▶ initialize, ping, discover
//	                                        ├──▶ list ──▶ pages
//	                                        └──▶ call ──▶ Caller ──▶ envelope
//
// Every answer is written whole under one lock. A client that stops reading
// stops the reader too: nothing is buffered without limit.
package serve
