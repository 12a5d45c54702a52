/** The absolute address that those of RDF begin with. It ends in a slash, and has no character that would end it in Turtle. */
export const isBase = (text: string): boolean =>
  URL.canParse(text) && /^[a-z][a-z0-9+.-]*:[^\s<>"{}|^`\\]*\/$/i.test(text)

export const baseForm = 'an absolute address that ends in a slash (https://archive.example/)'
