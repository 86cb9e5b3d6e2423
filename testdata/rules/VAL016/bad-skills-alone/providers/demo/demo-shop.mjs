export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    tools: {},
    skills: { 'compare-prices': { file: './skills/compare-prices.mjs' } }
}
