import { isIsoDate } from '../date.ts'
import type { Identifier } from '../model.ts'
import { type Element, elementsOf } from './elements.ts'
import { UnreadablePremis } from './errors.ts'

/*
 * Events and agents of PREMIS 3 and 2, wherever they are in a document: alone, in `premis`, or in a wrapper such as METS. The rules
 * are stricter than the schema's: an event has an identifier, a type and a date of ISO 8601, none of them empty.
 */

const namespaces = {
  'http://www.loc.gov/premis/v3': '3',
  'info:lc/xmlns/premis-v2': '2',
} as const
type Namespace = keyof typeof namespaces
const isKnown = (namespace: string): namespace is Namespace => Object.hasOwn(namespaces, namespace)

/** An agent or object that an event names, with the words of its roles. */
export interface Linked {
  readonly identifier: Identifier
  readonly roles: readonly string[]
}

export interface ReadEvent {
  readonly kind: 'event'
  /** From 1: where it begins. */
  readonly line: number
  readonly version: '2' | '3'
  readonly identifier: Identifier
  readonly type: string
  /** As it is written: ISO 8601. */
  readonly dateTime: string
  readonly detail?: string
  readonly outcomes: readonly { readonly outcome?: string; readonly note?: string }[]
  readonly agents: readonly Linked[]
  readonly objects: readonly Linked[]
}

export interface ReadAgent {
  readonly kind: 'agent'
  readonly line: number
  readonly identifiers: readonly Identifier[]
  readonly name?: string
  readonly type?: string
  readonly version?: string
}

/**
 * Yields events and agents in their order. Throws `UnreadablePremis`, which names the element and the line; also for a document
 * that has neither.
 */
export async function* readPremis(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<ReadEvent | ReadAgent> {
  let count = 0
  const others = new Set<string>()
  const wanted = (name: string, namespace: string): boolean => {
    if (name !== 'event' && name !== 'agent') return false
    if (isKnown(namespace)) return true
    others.add(namespace)
    return false
  }
  for await (const element of elementsOf(chunks, wanted)) {
    count++
    yield element.name === 'event' ? eventOf(element) : agentOf(element)
  }
  if (count > 0) return
  throw new UnreadablePremis(
    others.size === 0
      ? 'has no event and no agent of PREMIS'
      : `has elements event or agent in the namespace ${[...others].join(', ') || 'of no name'}, and none of PREMIS: ${Object.keys(namespaces).join(', ')}`,
  )
}

const eventOf = (element: Element): ReadEvent => {
  const identifiers = all(element, 'eventIdentifier')
  if (identifiers.length > 1)
    throw wrong(identifiers[1] ?? element, 'is a second one: an event has one eventIdentifier')
  const date = one(element, 'eventDateTime')
  if (!isIsoDate(date.text))
    throw wrong(date, `is no date of ISO 8601: ${JSON.stringify(date.text.slice(0, 100))}`)
  const detail = detailOf(element)
  return {
    kind: 'event',
    line: element.line,
    version: namespaces[element.namespace as Namespace],
    identifier: identifierOf(one(element, 'eventIdentifier', true), 'eventIdentifier'),
    type: one(element, 'eventType').text,
    dateTime: date.text,
    ...(detail && { detail }),
    outcomes: all(element, 'eventOutcomeInformation').map(outcomeOf),
    agents: all(element, 'linkingAgentIdentifier').map((link) => linkOf(link, 'linkingAgent')),
    objects: all(element, 'linkingObjectIdentifier').map((link) => linkOf(link, 'linkingObject')),
  }
}

/** PREMIS 2 has `eventDetail` in the event itself. */
const detailOf = (element: Element): string =>
  [
    ...all(element, 'eventDetail'),
    ...all(element, 'eventDetailInformation').flatMap((one) => all(one, 'eventDetail')),
  ]
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n')

const outcomeOf = (element: Element): ReadEvent['outcomes'][number] => {
  const outcome = text(element, 'eventOutcome')
  const note = all(element, 'eventOutcomeDetail')
    .flatMap((detail) => all(detail, 'eventOutcomeDetailNote'))
    .map((one) => one.text)
    .filter(Boolean)
    .join('\n')
  return { ...(outcome && { outcome }), ...(note && { note }) }
}

const agentOf = (element: Element): ReadAgent => {
  const [name, type, version] = ['agentName', 'agentType', 'agentVersion'].map((child) =>
    text(element, child),
  )
  const identifiers = all(element, 'agentIdentifier')
  if (identifiers.length === 0) throw wrong(element, 'has no agentIdentifier')
  return {
    kind: 'agent',
    line: element.line,
    identifiers: identifiers.map((link) => identifierOf(link, 'agentIdentifier')),
    ...(name && { name }),
    ...(type && { type }),
    ...(version && { version }),
  }
}

const linkOf = (element: Element, name: string): Linked => ({
  identifier: identifierOf(element, `${name}Identifier`),
  roles: all(element, `${name}Role`)
    .map((role) => role.text)
    .filter(Boolean),
})

const identifierOf = (element: Element, name: string): Identifier => ({
  type: one(element, `${name}Type`).text,
  value: one(element, `${name}Value`).text,
})

const all = ({ children, namespace }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name && child.namespace === namespace)

/** `isGroup`: it has elements in the place of text. */
const one = (element: Element, name: string, isGroup = false): Element => {
  const [first] = all(element, name)
  if (!first) throw wrong(element, `has no ${name}`)
  if (!isGroup && first.text === '') throw wrong(first, 'is empty')
  return first
}

const text = (element: Element, name: string): string | undefined => all(element, name)[0]?.text || undefined

const wrong = ({ name, line }: Element, says: string): UnreadablePremis =>
  new UnreadablePremis(`line ${line}: ${name} ${says}`)
