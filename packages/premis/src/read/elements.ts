import { SaxesParser } from 'saxes'
import { UnreadablePremis } from './errors.ts'

/*
 * Elements of a document, read as it comes. Document types are refused, and with them entities of one's own: nothing outside of the
 * document is ever read.
 */

export interface Element {
  readonly name: string
  readonly namespace: string
  /** From 1: where it begins. */
  readonly line: number
  readonly children: readonly Element[]
  /** Text directly in it, trimmed. */
  readonly text: string
}

interface OpenElement extends Element {
  readonly children: OpenElement[]
  text: string
}

type Decoder = InstanceType<typeof TextDecoder>

const maxDepth = 100
/** Characters of one element and all within it. */
const maxLength = 500_000

/**
 * Yields each element that is wanted, whole, and all that is in it. Memory holds one of them at a time. Throws
 * `UnreadablePremis`.
 */
export async function* elementsOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isWanted: (name: string, namespace: string) => boolean,
): AsyncGenerator<Element> {
  const found: Element[] = []
  const parser = wantedParser(isWanted, (element) => found.push(element))
  let decoder: Decoder | undefined
  for await (const chunk of chunks) {
    decoder ??= decoderOf(chunk)
    parser.write(decoded(decoder, chunk))
    yield* found.splice(0)
  }
  if (decoder) parser.write(decoded(decoder))
  parser.close()
  yield* found.splice(0)
}

const wantedParser = (
  isWanted: (name: string, namespace: string) => boolean,
  take: (of: Element) => void,
) => {
  const parser = new SaxesParser({ xmlns: true })
  const open: OpenElement[] = []
  let depth = 0
  let length = 0
  parser.on('error', (error) => {
    // It begins with line and column.
    throw new UnreadablePremis(`is no well-formed XML: line ${error.message}`)
  })
  parser.on('doctype', () => {
    throw new UnreadablePremis(
      `line ${parser.line}: has a document type (<!DOCTYPE …>), which is not read; leave it out`,
    )
  })
  parser.on('opentag', ({ local, uri }) => {
    depth++
    if (depth > maxDepth)
      throw new UnreadablePremis(`line ${parser.line}: ${local} lies in more than ${maxDepth} elements`)
    if (open.length === 0 && !isWanted(local, uri)) return
    const element = { name: local, namespace: uri, line: parser.line, children: [], text: '' }
    open.at(-1)?.children.push(element)
    if (open.length === 0) length = 0
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (!element) return
    length += text.length
    if (length > maxLength)
      throw new UnreadablePremis(
        `line ${open[0]?.line}: ${open[0]?.name} has more than ${maxLength.toLocaleString('en')} characters`,
      )
    element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth--
    const element = open.pop()
    if (!element) return
    element.text = element.text.trim()
    if (open.length === 0) take(element)
  })
  return parser
}

/** Decodes by byte order mark or declared encoding; UTF-8 otherwise. Throws `UnreadablePremis`. */
const decoderOf = (first: Uint8Array): Decoder => {
  const [one, two] = first
  const declared = /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(
    Buffer.from(first.subarray(0, 200)).toString('latin1'),
  )?.[1]
  const encoding =
    one === 0xff && two === 0xfe
      ? 'utf-16le'
      : one === 0xfe && two === 0xff
        ? 'utf-16be'
        : (declared ?? 'utf-8')
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new UnreadablePremis(`is in the encoding ${encoding}, which is not read; write it in UTF-8`)
  }
}

const decoded = (decoder: Decoder, chunk?: Uint8Array): string => {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch {
    throw new UnreadablePremis(`is no text in ${decoder.encoding}`)
  }
}
