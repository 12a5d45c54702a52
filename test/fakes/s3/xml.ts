/** The text of a document, with `&#x…;` for characters that XML parsers change or refuse. */
const escaped = (text: string): string =>
  text.replace(/[&<>"'\p{Cc}]/gu, (found) => `&#x${found.codePointAt(0)?.toString(16)};`)

export type Content = string | number | boolean | readonly Element[]
export type Element = readonly [name: string, content: Content | undefined]

/** Elements in order; those whose content is undefined are left out. */
export const xml = (elements: readonly Element[]): string =>
  elements
    .map(([name, content]) => {
      if (content === undefined) return ''
      const inner = typeof content === 'object' ? xml(content) : escaped(String(content))
      return `<${name}>${inner}</${name}>`
    })
    .join('')

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

export const document = (root: string, elements: readonly Element[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">${xml(elements)}</${root}>`

/** Errors have no namespace. */
export const errorDocument = (code: string, message: string, resource: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xml([
    [
      'Error',
      [
        ['Code', code],
        ['Message', message],
        ['Resource', resource],
        ['RequestId', 'stub'],
      ],
    ],
  ])}`

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return named[name] ?? all
  })

/** The inner text of each element of this name, at any depth. */
export const each = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner = '']) => inner,
  )

export const one = (text: string, name: string): string | undefined => {
  const [inner] = each(text, name)
  return inner === undefined ? undefined : unescaped(inner)
}
