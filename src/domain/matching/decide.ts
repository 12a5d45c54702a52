import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../kernel/decider.ts'
import type { Rejection } from '../kernel/rejection.ts'
import { saySame } from './canonical-json.ts'
import type { DropLink, HandOver, Observe, Resend, RestoreLink, WorkCommand } from './commands.ts'
import { type Facts, type WorkEvent, workEvents } from './events.ts'
import { normaliseLinks, sortedLinks } from './links.ts'
import { contentOf, evolve, initial, parseContent, type WorkHistory } from './state.ts'
import { category } from './work.ts'

interface WorkRejection extends Rejection {
  readonly code:
    | 'older-version'
    | 'other-source'
    | 'same-source'
    | 'unknown-work'
    | 'not-stated'
    | 'not-dropped'
    | 'unheard-source'
}

type Decision = E.Either<WorkRejection, readonly WorkEvent[]>

const decide = (command: WorkCommand, known: WorkHistory): Decision => {
  switch (command.type) {
    case 'Observe':
      return observe(command, known)
    case 'DropLink':
      return dropLink(command, known)
    case 'RestoreLink':
      return restoreLink(command, known)
    case 'HandOver':
      return handOver(command, known)
    case 'Resend':
      return resend(command, known)
  }
}

/** Versions order what one source says of one work; nothing else does (M5, M8). */
const observe = (command: Observe, known: WorkHistory): Decision => {
  const { work, source, sourceVersion: offered } = command
  const data = factsOf(command)
  const observed: Decision = E.right([{ type: 'WorkObserved', data }])
  if (!known) return observed
  if (source !== known.source)
    return reject(
      'other-source',
      `${known.source} speaks for ${work}, so the word of ${source} is not taken; \`matching.hand-over\` lets another source speak for it`,
      { work, source, heldBy: known.source },
    )
  const { sourceVersion: held } = known
  if (held === undefined || offered > held) return observed
  if (offered < held)
    return reject(
      'older-version',
      `version ${offered} of ${work} came after version ${held}, which stays; send it with a higher version if it is the newer one`,
      { work, offered, held },
    )
  const dropped = endsOf(known)
  const kept = dropped.length > 0 ? { ...data, links: without(data.links, dropped), dropped } : data
  return E.right(saySame(contentOf(kept), known.content) ? [] : [{ type: 'WorkCorrected', data: kept }])
}

const without = (links: Facts['links'], ends: readonly string[]): Facts['links'] =>
  links.filter(({ to }) => !ends.includes(to))

const dropLink = ({ work, to, reason, at }: DropLink, known: WorkHistory): Decision => {
  if (!known) return unknownWork(work)
  const { source, sourceVersion, content } = known
  if (sourceVersion === undefined)
    return reject(
      'unheard-source',
      `${source} speaks for ${work} and has not described it yet; have it send the work without the link`,
    )
  const stated = parseContent(content)
  if (!stated.links.some((link) => link.to === to))
    return reject('not-stated', `${work} states no link to ${to}; where ${to} states one, drop it from there`)
  return E.right([
    {
      type: 'WorkCorrected',
      data: {
        ...stated,
        source,
        sourceVersion,
        links: without(stated.links, [to]),
        at,
        reason,
        dropped: [...endsOf(known), to],
      },
    },
  ])
}

const endsOf = ({ dropped = [] }: NonNullable<WorkHistory>): string[] => dropped.map(({ to }) => to)

const restoreLink = ({ work, to, reason, at }: RestoreLink, known: WorkHistory): Decision => {
  if (!known) return unknownWork(work)
  const { source, sourceVersion, content, dropped = [] } = known
  const link = dropped.find((one) => one.to === to)
  if (!link || sourceVersion === undefined)
    return reject(
      'not-dropped',
      `no link from ${work} to ${to} is left out now; a higher version of ${work} by its source ends what persons left out`,
    )
  const stated = parseContent(content)
  const stillDropped = endsOf(known).filter((end) => end !== to)
  return E.right([
    {
      type: 'WorkCorrected',
      data: {
        ...stated,
        source,
        sourceVersion,
        links: sortedLinks([...without(stated.links, [to]), link]),
        at,
        reason,
        restored: [to],
        ...(stillDropped.length > 0 && { dropped: stillDropped }),
      },
    },
  ])
}

const factsOf = (command: Observe): Facts => {
  const { work, source, sourceVersion, sourceModifiedAt, state, title, links, fields, at } = command
  return {
    source,
    sourceVersion,
    sourceModifiedAt,
    state,
    links: normaliseLinks(work, links),
    at,
    ...(title !== undefined && { title }),
    ...(fields !== undefined && { fields }),
  }
}

const handOver = ({ work, to, reason, at }: HandOver, known: WorkHistory): Decision => {
  if (!known) return unknownWork(work)
  const { source: from } = known
  return from === to
    ? reject('same-source', `${to} speaks for ${work} already; hand it over to another source`)
    : E.right([{ type: 'WorkHandedOver', data: { from, to, reason, at } }])
}

const resend = ({ work, reason, at }: Resend, known: WorkHistory): Decision =>
  known ? E.right([{ type: 'ResendRequested', data: { reason, at } }]) : unknownWork(work)

const unknownWork = (work: string): Decision =>
  reject('unknown-work', `no source has spoken of ${work}; send it first or check the spelling`)

const reject = (code: WorkRejection['code'], message: string, details?: Rejection['details']): Decision =>
  E.left({ code, message, ...(details && { details }) })

/** One work, as its source describes it. */
export const workDecider: Decider<WorkHistory, WorkCommand, WorkEvent, WorkRejection> = {
  category,
  events: workEvents,
  initial,
  evolve,
  decide,
}
