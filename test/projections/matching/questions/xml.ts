/** What makes a text no well-formed XML, or an SVG that could do more than be looked at; undefined where it is neither. */
export const svgFault = (text: string): string | undefined => {
  const open: string[] = []
  const body = text.replace(/^<\?xml [^>]*\?>\n<!DOCTYPE svg [^<>]*>/, '')
  if (body === text) return 'does not begin as SVG'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const alien = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.exec(body)
  if (alien || !body.isWellFormed()) return 'holds what is no character of XML'
  for (const [piece, comment, end, name, attributes, empty] of body.matchAll(
    /(<!--(?:(?!--)[\s\S])*-->)|<\/([\w:]+)\s*>|<([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+|</g,
  )) {
    if (piece === '<') return `has a stray < behind ${open.join('/')}`
    if (!comment && /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(piece))
      return `has a stray & in ${piece}`
    if (end && open.pop() !== end) return `closes ${end}, which is not open`
    if (!name) continue
    if (!harmless.has(name)) return `has an element ${name}`
    const named = [...(attributes ?? '').matchAll(/([\w:-]+)=/g)].map((match) => match[1] as string)
    const bad = named.find((attribute) => /^on|href|^style$|src/i.test(attribute))
    if (bad) return `has an attribute ${bad}`
    if (!empty) open.push(name)
  }
  return open.length > 0 ? `leaves ${open.join('/')} open` : undefined
}

const harmless = new Set(['svg', 'g', 'title', 'polygon', 'polyline', 'ellipse', 'path', 'text', 'defs'])
