import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../kernel/decider.ts'
import type { Rejection } from '../kernel/rejection.ts'
import type { HandOver, Observe, Resend, WorkCommand } from './commands.ts'
import { type Facts, type WorkEvent, workEvents } from './events.ts'
import { normaliseLinks } from './links.ts'
import { contentOf, evolve, initial, type WorkHistory } from './state.ts'
import { category } from './work.ts'

interface WorkRejection extends Rejection {
  readonly code: 'older-version' | 'other-source' | 'same-source' | 'unknown-work'
}

type Decision = E.Either<WorkRejection, readonly WorkEvent[]>

const decide = (command: WorkCommand, known: WorkHistory): Decision => {
  switch (command.type) {
    case 'Observe':
      return observe(command, known)
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
  return E.right(contentOf(data) === known.content ? [] : [{ type: 'WorkCorrected', data }])
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
