import { isIsoDate } from './date.ts'
import type { Identifier, PremisAgent, PremisEvent, PremisObject } from './model.ts'

/*
 * Rules that the schema does not hold: every date of it is any text, and identifiers may be empty, given twice, or lead nowhere.
 */

/** It would be valid by the schema, and of no use to a reader. */
export class InvalidPremis extends Error {
  override readonly name = 'InvalidPremis'
}

const isBlank = (text: string | undefined): boolean => text !== undefined && text.trim() === ''

const identifierProblem = (what: string, { type, value }: Identifier): string | undefined =>
  isBlank(type) || isBlank(value) ? `${what} has an empty ${isBlank(value) ? 'value' : 'type'}` : undefined

/** Returns a sentence without a full stop; undefined if there is no problem. */
export const objectProblem = ({ category, identifiers, size, fixity }: PremisObject): string | undefined =>
  identifiers.map((one) => identifierProblem('objectIdentifier', one)).find(Boolean) ??
  (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)
    ? `size of ${identifiers[0].value} is no number of bytes: ${size}`
    : category !== 'file' && (size !== undefined || fixity?.length)
      ? `${identifiers[0].value} is an intellectual entity, and has size or fixity of a file`
      : fixity?.some(({ digest }) => isBlank(digest))
        ? `messageDigest of ${identifiers[0].value} is empty`
        : undefined)

export const eventProblem = (event: PremisEvent): string | undefined => {
  const { identifier, type, dateTime, agents, objects } = event
  const named = `event ${identifier.value}`
  return (
    identifierProblem('eventIdentifier', identifier) ??
    (isBlank(type.value) ? `eventType of ${named} is empty` : undefined) ??
    (isIsoDate(dateTime)
      ? undefined
      : `eventDateTime of ${named} is no date of ISO 8601: ${JSON.stringify(dateTime)}`) ??
    (agents.length === 0 ? `${named} has no agent` : undefined) ??
    (objects.length === 0 ? `${named} has no object` : undefined) ??
    agents.map((one) => identifierProblem('linkingAgentIdentifier', one.identifier)).find(Boolean) ??
    objects.map((one) => identifierProblem('linkingObjectIdentifier', one.identifier)).find(Boolean)
  )
}

export const agentProblem = ({ identifier, name }: PremisAgent): string | undefined =>
  identifierProblem('agentIdentifier', identifier) ??
  (isBlank(name) ? `agentName of ${identifier.value} is empty` : undefined)

export const identifierKey = ({ type, value }: Identifier): string => JSON.stringify([type, value])

/** Collects identifiers of a document and the links between them. Memory grows with the document. */
export const linkCheck = () => {
  const seen = { object: new Set<string>(), event: new Set<string>(), agent: new Set<string>() }
  const twice: string[] = []
  const links: { readonly kind: 'object' | 'agent'; readonly to: Identifier; readonly from: string }[] = []
  const note = (kind: keyof typeof seen, identifier: Identifier) => {
    const key = identifierKey(identifier)
    if (seen[kind].has(key)) twice.push(`${kind} ${identifier.value} is there twice`)
    seen[kind].add(key)
  }
  return {
    object: ({ identifiers, partOf = [] }: PremisObject): void => {
      for (const identifier of identifiers) note('object', identifier)
      for (const to of partOf) links.push({ kind: 'object', to, from: identifiers[0].value })
    },
    event: ({ identifier, agents, objects }: PremisEvent): void => {
      note('event', identifier)
      for (const one of agents) links.push({ kind: 'agent', to: one.identifier, from: identifier.value })
      for (const one of objects) links.push({ kind: 'object', to: one.identifier, from: identifier.value })
    },
    agent: ({ identifier }: PremisAgent): void => note('agent', identifier),
    /** A sentence for each identifier that is there twice, and for each link that leads nowhere. */
    problems: (): readonly string[] => [
      ...twice,
      ...links
        .filter(({ kind, to }) => !seen[kind].has(identifierKey(to)))
        .map(({ kind, to, from }) => `${from} names the ${kind} ${to.value}, which is not there`),
    ],
  }
}
