import { linesOf } from '@fonds/bytes'
import type { FileFormat } from '../../../domain/ingest/payload.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import { childrenOf, elementsOf, parseXml, textOf, UnreadableXml, type XmlElement } from '../xml.ts'

/*
 * File formats in the answers of tools, as far as they can be parsed: of `file`, Siegfried, Tika, FITS, JHOVE and their
 * like.
 */

export interface ToolAnswer {
  /** JSON is stored as a value; XML and text as text. */
  readonly answer: unknown
  readonly format?: FileFormat
}

export const readAnswer = (text: string): ToolAnswer => {
  const answer = asJson(text) ?? text
  const format = trimmed(typeof answer === 'string' ? inText(answer) : inJson(answer))
  return Object.keys(format).length === 0 ? { answer } : { answer, format }
}

const asJson = (text: string): object | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Found = { readonly [Name in keyof FileFormat]?: unknown }

const lengths: Readonly<Record<keyof FileFormat, number>> = {
  mimeType: 255,
  registry: 64,
  id: 255,
  name: 255,
  version: 64,
}

const aMimeType = /^([a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*)\s*(;.*)?$/i

/** Keeps non-empty texts; a MIME type loses its parameters. */
const trimmed = ({ mimeType, ...found }: Found): FileFormat => {
  const type = typeof mimeType === 'string' ? aMimeType.exec(mimeType.trim())?.[1] : undefined
  return Object.fromEntries(
    Object.entries({ mimeType: type?.toLowerCase(), ...found }).flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== ''
        ? [[name, clip(value.trim(), lengths[name as keyof FileFormat])]]
        : [],
    ),
  )
}

const inText = (text: string): Found => {
  if (!/^\s*</.test(text)) return { mimeType: linesOf(text.trim())[0] }
  try {
    return inXml(parseXml(Buffer.from(text)))
  } catch (error) {
    if (error instanceof UnreadableXml) return {}
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

const inJson = (value: object): Found => {
  const fields = firstOf(value)
  if (!isFields(fields)) return {}
  const file = firstOf(fields.files)
  return isFields(file) && Array.isArray(file.matches) ? ofSiegfried(file.matches) : ofFields(fields)
}

/** Prefers PRONOM among several registries. */
const ofSiegfried = (matches: readonly unknown[]): Found => {
  const known = matches.filter(isFields).filter(({ id }) => id !== 'UNKNOWN')
  const match = known.find(({ ns }) => ns === 'pronom') ?? known[0]
  if (!match) return {}
  const { ns, id, format, version, mime } = match
  return { registry: ns, id, name: format, version, mimeType: mime }
}

/** Reads fields by the names that tools use, in any spelling. */
const ofFields = (fields: Fields): Found => {
  const values = new Map(Object.entries(fields).map(([name, value]) => [bare(name), firstOf(value)]))
  const first = (...names: readonly string[]) => names.map((name) => values.get(name)).find(Boolean)
  return { mimeType: first('contenttype', 'mimetype', 'mime'), ...ofPronom(first('puid')), ...named(first) }
}

const named = (first: (...names: readonly string[]) => unknown): Found => ({
  name: first('formatname', 'format'),
  version: first('formatversion', 'version'),
})

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const ofPronom = (puid: unknown): Found =>
  typeof puid === 'string' && puid.trim() !== '' ? { registry: 'pronom', id: puid } : {}

const inXml = (root: XmlElement): Found => {
  const elements = [...elementsOf(root)]
  const identity = elements.find(({ name, attributes }) => name === 'identity' && attributes.mimetype)
  if (identity) return ofFits(identity)
  const texts = new Map<string, string>()
  for (const element of elements)
    if (childrenOf(element).length === 0 && !texts.has(bare(element.name)))
      texts.set(bare(element.name), textOf(element))
  const type = elements.find(({ name, attributes }) => name === 'meta' && attributes.name === 'Content-Type')
  return ofFields({ ...Object.fromEntries(texts), ...(type && { contenttype: type.attributes.content }) })
}

const ofFits = (identity: XmlElement): Found => {
  const { format, mimetype } = identity.attributes
  const parts = childrenOf(identity)
  const puid = parts.find(
    ({ name, attributes }) => name === 'externalIdentifier' && attributes.type === 'puid',
  )
  const version = parts.find(({ name }) => name === 'version')
  return {
    name: format,
    mimeType: mimetype,
    ...(version && { version: textOf(version) }),
    ...ofPronom(puid && textOf(puid)),
  }
}
