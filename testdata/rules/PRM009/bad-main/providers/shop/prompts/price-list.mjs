export const content = `
Use {{tool:shop/getPrices}} and {{resource:lists}}, as {{prompt:price-lists}} and {{prompt:shop/price-lists}} say.
See {{skill:summary}}.
`
