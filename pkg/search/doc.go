// Package search ranks tools by what somebody asks for, in English or German,
// in keywords or in whole sentences.
//
// The score is BM25 over the fields of a tool, each with a weight. A word of a
// request stands for all that may be meant by it: its stem, words that mean the
// same (thesaurus.txt), the parts of a German compound, the nearest known word
// where it is misspelt. The best of them counts. What a tool does not say of
// itself, the other tools of its namespace may: Formula One is named by one of
// the tools that have its results.
package search
