export const content = `Say what {{input:article}} costs.\u{E0061}\u{E0062}`
