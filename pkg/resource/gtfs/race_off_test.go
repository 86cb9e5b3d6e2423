//go:build !race

package gtfs

const (
	worlds       = 20
	manyFeatures = 500
)
