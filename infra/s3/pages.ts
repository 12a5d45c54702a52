import { type Answer, checkDocument, documentIn, textOf } from './answer.ts'
import { invalidAnswer } from './errors.ts'
import type { Send } from './sender.ts'
import { childText, InvalidXml, parseXml, type XmlElement } from './xml.ts'

/** One page of a listing. Its readers throw `S3Error` where an element lacks what they ask for. */
export interface Page {
  readonly root: XmlElement
  readonly address: string
  /** A key or prefix in a child of `element`, decoded. */
  name(element: XmlElement, child: string): string
  text(element: XmlElement, child: string): string
  number(element: XmlElement, child: string): number
  /** ISO 8601 UTC. */
  time(element: XmlElement, child: string): string
}

/** Empty pages in a row with more to follow. S3 gives some behind many deleted keys. */
export const maxEmptyPages = 1000

type AskPage = (query: Readonly<Record<string, string>>) => Promise<Page>

/**
 * Asks for pages whose root is `rootName`. Keys are asked for as they are: some servers answer to `encoding-type=url`
 * that they encode, and do not, so that `+` and `%20` have two meanings. Only a page in which XML 1.0 cannot hold a key
 * is asked for again in that encoding, and then the later ones too. Where the server does not encode, U+FFFD in a key
 * may stand for another character, and a CR is a failure.
 */
export const createPages = (send: Send, rootName: string, signal: AbortSignal | undefined): AskPage => {
  let mode: 'plain' | 'url' | 'plain only' = 'plain'
  const get = <A>(query: Readonly<Record<string, string>>, use: (answer: Answer) => A | Promise<A>) =>
    send({ method: 'GET', query, signal }, use)

  const ask: AskPage = async (query) => {
    if (mode === 'plain only') return get(query, (answer) => plainPage(answer, rootName))
    const plain = mode === 'plain' && (await get(query, (answer) => losslessPage(answer, rootName)))
    if (plain) return plain
    const encoded = await get({ ...query, 'encoding-type': 'url' }, (answer) => encodedPage(answer, rootName))
    mode = encoded ? 'url' : 'plain only'
    return encoded ?? ask(query)
  }
  return ask
}

/** Servers give a CR as it is, which XML reads as LF, other characters as U+FFFD, or what is no XML. */
const losslessPage = async (answer: Answer, rootName: string): Promise<Page | undefined> => {
  const text = await textOf(answer)
  if (/[\r\ufffd]/.test(text)) return undefined
  try {
    return pageOf(answer.address, checkDocument(answer, rootName, parseXml(text.trimStart()), text))
  } catch (error) {
    if (error instanceof InvalidXml) return undefined
    throw error
  }
}

const plainPage = async (answer: Answer, rootName: string): Promise<Page> => {
  const text = await textOf(answer)
  if (text.includes('\r'))
    throw invalidAnswer(answer.address, 'the listing has a key with a CR, which it does not escape')
  return pageOf(answer.address, documentIn(answer, rootName, text))
}

/** Undefined where the server does not encode. */
const encodedPage = async (answer: Answer, rootName: string): Promise<Page | undefined> => {
  const root = documentIn(answer, rootName, await textOf(answer))
  if (childText(root, 'EncodingType') !== 'url' || !namesIn(root).every(isEncoded)) return undefined
  return pageOf(answer.address, root, (name) => decodeURIComponent(name.replaceAll('+', ' ')))
}

const namesIn = (element: XmlElement): readonly string[] =>
  element.name === 'Key' || element.name === 'Prefix' ? [element.text] : element.children.flatMap(namesIn)

const isEncoded = (name: string): boolean => /^(?:[!-$&-~]|%[\dA-Fa-f]{2})*$/.test(name)

const pageOf = (address: string, root: XmlElement, decode = (name: string): string => name): Page => {
  const text = (element: XmlElement, child: string): string => {
    const found = childText(element, child)
    if (found === undefined)
      throw invalidAnswer(address, `the listing has a <${element.name}> without <${child}>`)
    return found
  }
  const finite = (element: XmlElement, child: string, read: (text: string) => number): number => {
    const value = read(text(element, child))
    if (!Number.isFinite(value))
      throw invalidAnswer(address, `the listing has a <${child}> that makes no sense`)
    return value
  }
  return {
    root,
    address,
    text,
    name: (element, child) => decode(text(element, child)),
    number: (element, child) =>
      finite(element, child, (digits) => (/^\d+$/.test(digits) ? Number(digits) : Number.NaN)),
    time: (element, child) => new Date(finite(element, child, Date.parse)).toISOString(),
  }
}
