export const agent = [ 'market-watch' ]
