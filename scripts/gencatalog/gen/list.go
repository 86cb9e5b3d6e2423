package gen

import (
	"bytes"
	"fmt"
)

const (
	listName    = "marketRegions"
	listVersion = "1.0.0"
	regions     = 60
)

func regionCode(i int) string {
	return fmt.Sprintf("%c%c%d", 'A'+i%26, 'A'+i*7%26, i)
}

// List returns the shared list that half of the schemas use, and its path in
// the catalog.
func List() (path string, src []byte) {
	var b bytes.Buffer
	b.WriteString(`export const list = {
    meta: {
        name: '` + listName + `',
        version: '` + listVersion + `',
        description: 'Market regions and their codes',
        fields: [
            { key: 'code', type: 'string', description: 'Code of the region' },
            { key: 'name', type: 'string', description: 'Name of the region' },
            { key: 'number', type: 'number', description: 'Number of the region' }
        ],
        dependsOn: []
    },
    entries: [
`)
	for i := range regions {
		fmt.Fprintf(&b, "        { code: '%s', name: '%s region %d', number: %d }%s\n", regionCode(i),
			title(places[i%len(places)]), i, i, comma(i, regions))
	}
	b.WriteString("    ]\n}\n")
	return "_lists/market-regions.mjs", b.Bytes()
}
