const content = `Call the tool.`
