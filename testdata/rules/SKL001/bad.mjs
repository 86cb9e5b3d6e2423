export const skill = [ 'price-report' ]
