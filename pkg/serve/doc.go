// Package serve is the MCP server over a resolved catalog: tools are listed
// and called, resources read, and prompts and skills delivered. What of a catalog
// is listed, and how, says pkg/serve/listing.
//
// The messages are those of the protocol library's types. What there is in
// which revision of the protocol, and who answers it, says the table methods.
// The rest is our own, because the library's loses answers at the end of the
// input, cannot cancel a queued call, rounds request ids and encodes the whole
// list again for every request.
//
// There are three layers. A Surface is what is served: it does not change, and
// the Server puts another in its place. A Request is a message of a client (its
// Session) and the surface that it came to; the table's answerers turn it into an
// Answer and know nothing of how messages travel. A transport is a loop around
// Session.Begin:
//
//	lines ──▶ stdio.receive ──▶ Parse ──▶ Session.Begin ──▶ methods ──┬──▶ now: initialize, lists
//	                                                                  └──▶ later: slot ──▶ Caller ──▶ envelope
//
// Clients hear of another Surface by listeners (listen.go), and of how far a Request
// has come by a teller (progress.go).
//
// Over stdio every answer is written whole under one lock. A client that stops
// reading stops the reader too: nothing is buffered without limit.
package serve
