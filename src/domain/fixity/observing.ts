import * as E from 'fp-ts/lib/Either.js'
import { checkFence, isActive } from '../kernel/lease.ts'
import { addMillis, MINUTE, SECOND } from '../kernel/time.ts'
import { failedAttempt } from './claiming.ts'
import type { LoseCheck, Observe } from './commands.ts'
import type { Evidence, FixityEvent } from './events.ts'
import { followUps } from './follow-ups.ts'
import { itemId } from './item.ts'
import { ownIndex, withFirstReading } from './late-first-reading.ts'
import { type Decision, reject } from './rejections.ts'
import { attemptAfter, deferralsInRun, nextDue } from './schedule.ts'
import { type ItemState, isEnded, isLinkNow, type WordHeard } from './state.ts'
import { type Verdict, verdict } from './verdict.ts'

/* Decisions about an observer's reports. */

export const observe = (command: Observe, state: ItemState): Decision => {
  const { item, fence, observedAt } = command
  const held = fence === undefined ? E.right(undefined) : checkFence(state.lease, fence)
  if (E.isLeft(held)) return held
  const last = lastSeenAt(command, state)
  if (last !== undefined && fence === undefined && isEarlier(observedAt, last, command.at))
    return reject(
      'stale',
      `${itemId(item)} was decided from an observation at ${last}; this one is older, drop it`,
    )
  // Without a claim only its time identifies a repeated report, which must not use up an attempt.
  if (fence === undefined && (observedAt === last || observedAt === state.failedAt)) return E.right([])
  const error = readFailure(command)
  return E.right(error === undefined ? decision(command, state) : failure(command, state, error))
}

/** Returns the time of the last observation, from the item's own stream or from a batch. */
const lastSeenAt = ({ lastObservation }: Observe, { last }: ItemState): string | undefined =>
  last && lastObservation
    ? last.observedAt > lastObservation.observedAt
      ? last.observedAt
      : lastObservation.observedAt
    : (last ?? lastObservation)?.observedAt

/** No effect if the item is parked, or was claimed by itself since. */
export const loseCheck = ({ error, at }: LoseCheck, state: ItemState): Decision =>
  E.right(state.parked || isActive(state.lease, at) ? [] : failedAttempt(state, error, at, at))

/**
 * True if the observation is older than the one last decided from. Never applies under a claim that is still valid: it
 * was granted after that decision, whatever clocks say. A time in the future proves nothing: its clock ran ahead.
 */
const isEarlier = (observedAt: string, decidedFrom: string, now: string): boolean =>
  observedAt < decidedFrom && decidedFrom <= addMillis(now, clocksDiffer)

/** Synchronised clocks differ by less than this. */
const clocksDiffer = 5 * MINUTE

/**
 * Returns why the observation says nothing about the content. A read that ended early must never count as changed
 * content.
 */
const readFailure = ({ content, storage }: Observe): string | undefined => {
  if (content.status === 'failed') return content.error
  if (content.status !== 'read' || storage.status !== 'present' || storage.size === undefined)
    return undefined
  return content.size === storage.size
    ? undefined
    : `${content.size} bytes were read of the ${storage.size} that the storage announces`
}

const failure = (command: Observe, state: ItemState, error: string): readonly FixityEvent[] =>
  state.parked ? [] : failedAttempt(state, error, command.observedAt, command.at)

const decision = (command: Observe, state: ItemState): readonly FixityEvent[] => {
  const { observedAt, policy } = command
  const { run } = state
  const evidence = evidenceOf(command, state)
  const attempt = attemptAfter(state.failures)
  // A finding that a person has ended is not deferred for a record that may be in flight.
  const lastAttempt = isEnded(state, evidence) ? 'last' : attempt
  const sawFile = command.lastObservation?.sawFile === true
  const becameLink = isLinkNow(sawFile ? { ...state, seenAsFile: true } : state, evidence)
  const { class: settler, ...outcome } = withNotes(
    withFirstReading(verdict(evidence, lastAttempt, policy), evidence),
    evidence,
    becameLink,
  )
  if (outcome.outcome === 'deferred' && state.deferrals >= deferralsInRun)
    return failure(command, state, outcome.because)
  const follow = followUps({ ...outcome, ...(settler && { class: settler }) }, evidence, command, state)
  const data = { run, attempt, evidence, ...outcome, observedAt, dueAt: dueAfter(outcome, command, state) }
  return [
    {
      type: 'FixityDecided',
      data: { ...data, followUps: [...follow.kinds], ...(becameLink && { becameLink: true as const }) },
    },
    ...follow.events,
  ]
}

/** Adds what a person may want to know that decides nothing. */
const withNotes = (outcome: Verdict, { content, storage }: Evidence, becameLink: boolean): Verdict => {
  const notes = [
    // A link to the same bytes is no failure, but it may be unintended.
    ...(becameLink ? ['A symbolic link leads there now; an earlier look saw a file.'] : []),
    ...(storage.status === 'missing' && storage.isMarked
      ? ['A delete marker is in its place: the bucket may keep earlier versions.']
      : []),
    ...(content.status === 'not-attempted' && storage.status === 'present' ? [unreadNote(storage)] : []),
  ]
  return notes.length === 0 ? outcome : { ...outcome, because: [outcome.because, ...notes].join(' ') }
}

const unreadNote = ({ archived }: { readonly archived?: string | undefined }): string =>
  archived === undefined ? 'The bytes were not read.' : `It is archived (${archived}), and was not read.`

/** Our own record of index and audit log takes precedence: an observer's value adds to it, and is stored beside it. */
const evidenceOf = (command: Observe, state: ItemState): Evidence => {
  const { content, storage, observedAt, at } = command
  const seen = { source: command.worker ?? command.actor, heardAt: observedAt }
  const index = command.observedIndex && { ...command.observedIndex, ...seen }
  const audit = command.audit && { ...command.audit, ...seen }
  return {
    content: { ...content, ...seen },
    storage: { ...storage, ...seen },
    index: recordOf(state.index) ?? index ?? { ...command.index, source: ownIndex, heardAt: at },
    audit: recordOf(state.audit) ?? audit ?? { status: 'absent', source: 'audit log', heardAt: at },
    ...(state.index && index && { observedIndex: index }),
    ...(state.audit && audit && { observedAudit: audit }),
  }
}

const recordOf = (heard: WordHeard | undefined) =>
  heard && { ...heard.word, source: heard.source, heardAt: heard.heardAt }

/** The interval of the next run starts when the content was observed, not when that was reported. */
const dueAfter = (
  { outcome, followUps }: Pick<Verdict, 'outcome' | 'followUps'>,
  { item, at, observedAt, policy }: Observe,
  { run, failures }: ItemState,
): string | null => {
  const afterLag = addMillis(at, policy.lagSeconds * SECOND)
  if (outcome === 'deferred') return afterLag
  if (outcome === 'retry') return attemptAfter(failures) === 'penultimate' ? afterLag : at
  if (outcome === 'nothing' || followUps.includes('remove-index')) return null
  return nextDue(observedAt, policy.intervalDays, `${itemId(item)}#${run}`)
}
