package main

import (
	"net/http"
	"strconv"
	"time"
)

// The tools of Harbourlog have handlers, so its answers are what a handler has
// to do something about: pages, numbers for names, nested objects.

type arrival struct {
	Ship string    `json:"ship"`
	ETA  time.Time `json:"eta"`
}

// arrivals are the names of the ships, by harbour.
var arrivals = map[string][]string{
	"emden": {"Anna Bakker", "Baltic Swan", "Cap Rose", "Dollart", "Ems Trader"},
	"husum": {"Nordstrand"},
	"kiel":  {"Fjord Queen", "Gotland Ferry", "Holtenau", "Ida Marie"},
}

// perPage is how many arrivals a page has.
const perPage = 2

type arrivalsPage struct {
	Items []arrival `json:"items"`
	Next  *int      `json:"next"` // page, null on the last one
}

func listArrivals(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.URL.Query().Get("page"))
	names, known := arrivals[r.PathValue("harbour")]
	if err != nil || page < 1 || !known {
		refuse(w, http.StatusNotFound, "no page %q of harbour %q", r.URL.Query().Get("page"), r.PathValue("harbour"))
		return
	}
	found := arrivalsPage{Items: []arrival{}}
	for i := (page - 1) * perPage; i < min(page*perPage, len(names)); i++ {
		found.Items = append(found.Items, arrival{names[i], firstHighWater.Add(time.Duration(i) * 90 * time.Minute)})
	}
	if page*perPage < len(names) {
		found.Next = new(page + 1)
	}
	answer(w, http.StatusOK, found)
}

type ship struct {
	Name string `json:"name"`
}

type berth struct {
	Number int   `json:"number"`
	Ship   *ship `json:"ship,omitempty"`
}

type quay struct {
	Name   string  `json:"name"`
	Berths []berth `json:"berths"`
}

var quays = map[string][]quay{
	"emden": {{"Nordkai", []berth{{1, &ship{"Wal"}}, {2, nil}}}, {"Südkai", []berth{{1, &ship{"Otter"}}}}},
	"husum": {{"Außenhafen", []berth{{1, nil}}}},
	"kiel":  {{"Ostuferhafen", []berth{{1, nil}, {2, &ship{"Holtenau"}}, {3, nil}}}},
}

func getBerths(w http.ResponseWriter, r *http.Request) {
	found, known := quays[r.PathValue("harbour")]
	if !known {
		refuse(w, http.StatusNotFound, "no harbour %q", r.PathValue("harbour"))
		return
	}
	answer(w, http.StatusOK, map[string]any{"harbour": r.PathValue("harbour"), "quays": found})
}

// warnings to shipping, by the number of the sea area.
var warnings = map[int][]string{
	11: {"Buoy Elbe 3 is unlit", "Gale force 8 expected"},
	14: {"Survey ship towing a cable 4 miles long"},
}

func getWarnings(w http.ResponseWriter, r *http.Request) {
	area, err := strconv.Atoi(r.URL.Query().Get("area"))
	if err != nil {
		refuse(w, http.StatusBadRequest, "area %q is not a number", r.URL.Query().Get("area"))
		return
	}
	list := warnings[area]
	if list == nil {
		list = []string{}
	}
	answer(w, http.StatusOK, map[string]any{"area": area, "warnings": list})
}
