package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// routes are the paths of the catalog's tools. What a request must look like
// is checked here, so that the demo shows that it was built right.
func routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/stations", listStations)
	mux.HandleFunc("GET /v1/stations/{station}/tides", getTides)
	mux.HandleFunc("GET /v2/shipments/{number}", trackShipment)
	mux.HandleFunc("POST /v2/depots/{depot}/shipments", bookShipment)
	mux.HandleFunc("GET /v3/harbours/{harbour}/arrivals", listArrivals)
	mux.HandleFunc("GET /v3/harbours/{harbour}/berths", getBerths)
	mux.HandleFunc("GET /v3/warnings", getWarnings)
	interop(mux)
	return mux
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that is gone needs no answer
}

func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	answer(w, status, map[string]string{"error": fmt.Sprintf(format, args...)})
}

type station struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	LevelCm *int   `json:"levelCm"`
	area    string
}

func cm(n int) *int { return &n }

var stations = []station{
	{ID: "cuxhaven", Name: "Cuxhaven", LevelCm: cm(312), area: "german-bight"},
	{ID: "helgoland", Name: "Helgoland", LevelCm: cm(241), area: "german-bight"},
	{ID: "büsum/hafen", Name: "Büsum, Hafen", area: "german-bight"},
	{ID: "immingham", Name: "Immingham", LevelCm: cm(587), area: "humber"},
	{ID: "spurn", Name: "Spurn Head", LevelCm: cm(498), area: "humber"},
	{ID: "dogger-north", Name: "Dogger, North Buoy", LevelCm: cm(120), area: "dogger"},
	{ID: "skagen", Name: "Skagen", LevelCm: cm(38), area: "skagerrak"},
}

func listStations(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil {
		refuse(w, http.StatusBadRequest, "limit %q is not a number", query.Get("limit"))
		return
	}
	found := []station{}
	for _, s := range stations {
		if s.area == query.Get("area") && len(found) < limit {
			found = append(found, s)
		}
	}
	answer(w, http.StatusOK, found)
}

// firstHighWater is the time from which the tides of every gauge are counted.
var firstHighWater = time.Date(2026, time.June, 1, 3, 20, 0, 0, time.UTC)

// halfTide is the time between a high and a low water.
const halfTide = 6*time.Hour + 12*time.Minute

type tide struct {
	Time    time.Time `json:"time"`
	Kind    string    `json:"kind"`
	LevelCm int       `json:"levelCm"`
}

type tides struct {
	Station string `json:"station"`
	Datum   string `json:"datum"`
	Tides   []tide `json:"tides"`
}

func getTides(w http.ResponseWriter, r *http.Request) {
	id, query := r.PathValue("station"), r.URL.Query()
	days, err := strconv.Atoi(query.Get("days"))
	if err != nil || query.Get("datum") != "chart" {
		refuse(w, http.StatusBadRequest, "days must be a number and datum chart")
		return
	}
	for i, s := range stations {
		if s.ID != id {
			continue
		}
		table := tides{Station: id, Datum: "chart"}
		for n := range 4 * days {
			kind, level := "high", 340-7*i-n
			if n%2 == 1 {
				kind, level = "low", 45+3*i+n
			}
			at := firstHighWater.Add(time.Duration(i)*23*time.Minute + time.Duration(n)*halfTide)
			table.Tides = append(table.Tides, tide{at, kind, level})
		}
		answer(w, http.StatusOK, table)
		return
	}
	refuse(w, http.StatusNotFound, "no station %q", id)
}

// states are where a shipment is, by the last digit of its number.
var states = map[string][]string{
	"en": {"announced", "on its way", "delivered", "held at customs"},
	"de": {"angekündigt", "unterwegs", "zugestellt", "beim Zoll"},
	"fr": {"annoncé", "en route", "livré", "retenu à la douane"},
}

type shipment struct {
	Number string     `json:"number"`
	State  string     `json:"state"`
	ETA    *time.Time `json:"eta"`
}

func trackShipment(w http.ResponseWriter, r *http.Request) {
	if _, ok := token(r); !ok {
		refuse(w, http.StatusUnauthorized, "no bearer token")
		return
	}
	number := r.PathValue("number")
	names, known := states[r.URL.Query().Get("lang")]
	last, err := strconv.Atoi(number[len(number)-1:])
	if !known || err != nil || !strings.HasPrefix(number, "PB") || last >= len(names) {
		refuse(w, http.StatusNotFound, "no shipment %q", number)
		return
	}
	found := shipment{Number: number, State: names[last]}
	if last < 2 { // neither delivered nor held
		eta := time.Date(2026, time.June, 3, 14, 0, 0, 0, time.UTC)
		found.ETA = &eta
	}
	answer(w, http.StatusOK, found)
}

// prices are in cents a kilogram.
var prices = map[string]float64{"standard": 290, "express": 640, "overnight": 1190}

type booking struct {
	Number     string `json:"number"`
	Service    string `json:"service"`
	PriceCents int    `json:"priceCents"`
}

func bookShipment(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	key, ok := token(r)
	if !ok || query.Get("account") != key {
		refuse(w, http.StatusUnauthorized, "bearer token and account must be equal")
		return
	}
	var body struct {
		Service  string            `json:"service"`
		To       map[string]string `json:"to"`
		WeightKg float64           `json:"weightKg"`
		Insured  bool              `json:"insured"`
		Channel  string            `json:"channel"`
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		refuse(w, http.StatusBadRequest, "body: %v", err)
		return
	}
	price, known := prices[body.Service]
	if !known || query.Get("apiVersion") != "2" || body.Channel != "fmcp" || body.WeightKg <= 0 ||
		body.To["city"] == "" {
		refuse(w, http.StatusUnprocessableEntity, "service, apiVersion, channel, weightKg or to.city is wrong")
		return
	}
	cents := int(price * body.WeightKg)
	if body.Insured {
		cents += 250
	}
	number := fmt.Sprintf("PB%09d1", cents) // on its way, to trackShipment
	answer(w, http.StatusCreated, booking{number, body.Service, cents})
}

// token is the bearer token of a request.
func token(r *http.Request) (string, bool) {
	key, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key, found && key != ""
}
