import { SaxesParser } from 'saxes'

/*
 * Small third-party XML files. Constructs that could harm a reader are rejected: document types, and with them custom
 * entities.
 */

export interface XmlElement {
  readonly name: string
  /** Empty if it has none. */
  readonly namespace: string
  /** By their names without prefix. */
  readonly attributes: Readonly<Record<string, string>>
  /** Texts and elements, in document order. */
  readonly content: readonly (string | XmlElement)[]
}

/** The document is not well-formed, or beyond a limit: the message continues the file's name. */
export class UnreadableXml extends Error {
  override readonly name = 'UnreadableXml'
}

const maxDepth = 100

interface OpenElement extends XmlElement {
  readonly content: (string | XmlElement)[]
}

/** Returns the root of the document. Throws `UnreadableXml`. */
export const parseXml = (bytes: Uint8Array): XmlElement => {
  const parser = new SaxesParser({ xmlns: true })
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  parser.on('doctype', () => {
    throw new UnreadableXml('has a document type (<!DOCTYPE …>), which is not read; leave it out')
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length === maxDepth)
      throw new UnreadableXml(`has elements within elements, more than ${maxDepth} deep`)
    const named = Object.values(attributes).map((attribute) => [attribute.local, attribute.value] as const)
    const element = { name: local, namespace: uri, attributes: Object.fromEntries(named), content: [] }
    open.at(-1)?.content.push(element)
    open.push(element)
    root ??= element
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (text) => void open.at(-1)?.content.push(text))
  parser.on('cdata', (text) => void open.at(-1)?.content.push(text))
  const text = decoded(bytes)
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof UnreadableXml) throw error
    throw new UnreadableXml(`is no well-formed XML: ${(error as Error).message}`, { cause: error })
  }
  if (!root) throw new UnreadableXml('is no well-formed XML: it has no element')
  return root
}

/** Returns the text of the element and all within it, with runs of white space collapsed. */
export const textOf = (element: XmlElement): string => rawText(element).replace(/\s+/g, ' ').trim()

const rawText = ({ content }: XmlElement): string =>
  content.map((part) => (typeof part === 'string' ? part : rawText(part))).join('')

export const childrenOf = ({ content }: XmlElement): readonly XmlElement[] =>
  content.filter((part) => typeof part !== 'string')

/** Yields the element and all within it, in document order. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of childrenOf(element)) yield* elementsOf(child)
}

/** Decodes it by its byte order mark or declared encoding; UTF-8 otherwise. */
const decoded = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UnreadableXml(`is no text in ${encoding}`, { cause: error })
  }
}

const encodingOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  const beginning = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(beginning)?.[1] ?? 'utf-8'
}
