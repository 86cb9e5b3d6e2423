// F: cannot be loaded.
export const main = {
    namespace: 'ferry',
    name: 'Broken',
    tools: {
