export const agent = { name: 'painter', version: 'flowmcp/4.0.0', description: 'Paints' }
