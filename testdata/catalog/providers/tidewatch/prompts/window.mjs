export const content = `
A ship of {{input:draught}} m wants to enter {{input:harbour}}. Take the depth of the harbour from
{{resource:harbours}}, and the high waters of its gauge from {{tool:getTides}}. She can enter where
depth and tide together leave half a metre below the keel. How gauges are found is in
{{prompt:tidewatch/about}}.
`
