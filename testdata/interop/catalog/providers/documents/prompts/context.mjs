export const content = 'Answer with this in mind: {{input:context}}'
