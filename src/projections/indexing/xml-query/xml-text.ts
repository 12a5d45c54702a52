/** Text within an element. What XML 1.0 cannot hold at all becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(notAllowed, '\ufffd')
    .replace(/[&<>\r]/g, (character) => references[character] ?? character)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const notAllowed = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A bare carriage return would be read as a line feed. */
const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** An element that holds an element for each field. */
export const xmlElement = (
  name: string,
  fields: Readonly<Record<string, string | number | undefined>>,
): string => {
  const inner = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `<${field}>${xmlText(String(value))}</${field}>`)
  return `<${name}>${inner.join('')}</${name}>`
}
