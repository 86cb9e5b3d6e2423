const content = `Use {{tool:getPrice}}.`
