export const content = { text: 'Use {{tool:getPrice}}.' }
