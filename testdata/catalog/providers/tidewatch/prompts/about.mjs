// What a model should know of Tidewatch before it calls anything.
export const content = `
Tidewatch has tide gauges and harbours of the North Sea and the Baltic Sea.

Call {{tool:listStations}} first: it gives the ids that {{tool:getTides}} wants. Sea areas are
called {{seaAreas:alias}}. Harbours are in {{resource:harbours}}; what the words mean is in
{{resource:handbook}}.
`
