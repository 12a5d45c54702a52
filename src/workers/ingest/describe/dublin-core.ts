import type { Described } from './erc.ts'

export const terms = [
  'title',
  'creator',
  'subject',
  'description',
  'publisher',
  'contributor',
  'date',
  'type',
  'format',
  'identifier',
  'source',
  'language',
  'relation',
  'coverage',
  'rights',
] as const
export type Term = (typeof terms)[number]
export type DublinCore = Partial<Record<Term, string[]>>

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const unprintable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Replaces characters that XML forbids, and escapes its own. */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(unprintable, '\uFFFD')
    .replace(/[&<>"]/g, (c) => entities[c]!)

/** Simple Dublin Core: the depositor's values, then those of the kernel metadata, the note and the ids. */
export const dublinCore = ({ ark, localIds, description }: Described): string => {
  const { who, what, when, note, dublinCore: given = {} } = description
  const added: Partial<Record<Term, readonly (string | undefined)[]>> = {
    title: [what],
    creator: [who],
    date: [when],
    description: [note],
    identifier: [ark, ...localIds],
  }
  const elements = terms.flatMap((term) => {
    const values = [...(given[term] ?? []), ...(added[term] ?? [])].filter((value) => value !== undefined)
    return [...new Set(values)].map((value) => `  <dc:${term}>${xmlText(value)}</dc:${term}>\n`)
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">\n',
    ...elements,
    '</oai_dc:dc>\n',
  ].join('')
}
