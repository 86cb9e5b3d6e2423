const rows = []
for( const code of [ 'de', 'fr' ] ) {
    rows.push( { code } )
}

export const list = {
    meta: {
        name: 'countries',
        version: '1.0.0',
        description: 'Countries by code',
        fields: [ { key: 'code', type: 'string', description: 'Code of the country' } ]
    },
    entries: rows
}
