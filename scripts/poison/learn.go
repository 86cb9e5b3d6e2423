package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/poison"
)

// sample is the features of a sentence, and whether it is an order to a model.
type sample struct {
	features []string
	order    bool
	real     bool
}

// weight is how much more a sentence that we wrote counts than a real one: there
// are far fewer.
const weight = 5

// least is the weight that a word must have to be worth its line, and rare one real
// text in how many may be taken for an attack.
const (
	least = 0.1
	rare  = 2000
)

// learn writes the weights of features by logistic regression: which words, and
// which meanings, are in the attacks of some files, and neither in real texts nor
// in those of ours that are no attacks.
func learn(out io.Writer, real []string, files []string) error {
	var samples []sample
	for _, name := range files {
		read := readAttacks
		if filepath.Ext(name) == ".txt" {
			read = readHonest
		}
		list, err := read(name)
		if err != nil {
			return err
		}
		samples = append(samples, list...)
	}
	known := map[string]bool{"": true}
	for _, s := range samples {
		for _, f := range s.features {
			known[f] = true
		}
	}
	var texts [][][]string
	for _, text := range real {
		sentences := poison.Features(text)
		for i, f := range sentences { // words that no attack has say nothing, and a catalog's are its own
			sentences[i] = slices.DeleteFunc(f, func(f string) bool { return !known[f] })
		}
		texts = append(texts, sentences)
		for _, f := range sentences {
			samples = append(samples, sample{f, false, true})
		}
	}
	weights := map[string]float64{"": -3}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 25 {
		rate := 0.1 / (1 + 0.3*float64(round))
		random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		for _, s := range samples {
			step(weights, s, rate)
		}
	}
	maps.DeleteFunc(weights, func(_ string, w float64) bool { return math.Abs(w) < least })
	weights[""] = -worst(weights, texts)
	return write(out, weights)
}

// worst is what the features of a sentence sum up to in all but a few of the real
// texts.
func worst(weights map[string]float64, texts [][][]string) float64 {
	delete(weights, "")
	var worst []float64
	for _, sentences := range texts {
		most := math.Inf(-1)
		for _, f := range sentences {
			most = max(most, sum(weights, f))
		}
		worst = append(worst, most)
	}
	slices.Sort(worst)
	return worst[len(worst)-1-len(worst)/rare]
}

func sum(weights map[string]float64, features []string) float64 {
	total := weights[""]
	for _, f := range features {
		total += weights[f]
	}
	return total
}

func step(weights map[string]float64, s sample, rate float64) {
	slope := 1 / (1 + math.Exp(-sum(weights, s.features)))
	if s.order {
		slope--
	}
	if !s.real {
		slope *= weight
	}
	if math.Abs(slope) < 1e-3 {
		return
	}
	weights[""] -= rate * slope * 0.1
	for _, f := range s.features {
		weights[f] = weights[f]*(1-rate*3e-4) - rate*slope
	}
}

// readAttacks reads the sentences of the attacks in a file. The first sentence of
// several, which says what the tool does, is none.
func readAttacks(name string) ([]sample, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []sample
	for line := range bytes.Lines(text) {
		var attack struct{ Where, Text string }
		if err := json.Unmarshal(line, &attack); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if attack.Where == "content" {
			continue
		}
		sentences := poison.Features(attack.Text)
		for i, f := range sentences {
			lead := i == 0 && len(sentences) > 1 && !slices.ContainsFunc(f, imperative)
			list = append(list, sample{f, !lead, false})
		}
	}
	return list, nil
}

// readHonest reads texts that are no attacks, one a line.
func readHonest(name string) ([]sample, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []sample
	for line := range strings.Lines(string(text)) {
		for _, f := range poison.Features(line) {
			list = append(list, sample{f, false, false})
		}
	}
	return list, nil
}

// imperative reports whether a feature is not of a sentence that says what a tool
// does.
func imperative(f string) bool { return f == ":dont" || f == ":user" || f == ":you" || f == ":always" }

func write(out io.Writer, weights map[string]float64) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "# Written by go run ./scripts/poison -learn; evidence.go says what it is.")
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		fmt.Fprintf(w, "%s\t%.0f\n", name, weights[name]*100)
	}
	return w.Flush()
}
