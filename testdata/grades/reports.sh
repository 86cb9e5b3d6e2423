# Prints the reports of chapter 22 about the catalog.
fmcp-grade --runs runs.ndjson --scores scores --reports reports --timestamp 2026-05-29T15:34:00Z catalog > /dev/null
cat reports/*
