import type { EventMetadata, Origin } from '../../domain/kernel/event.ts'
import { type Fingerprints, fingerprints } from './fingerprints.ts'

/**
 * The causes that had their effect in a stream. Event ids alone do not protect against a redelivered command: a store
 * appends at the expected revision without comparing ids. So causes are folded along with the state.
 *
 * It only grows, so all states of a stream share one. Thousands of streams are cached at once and most have few causes,
 * so it starts as small as it can.
 */
export interface Handled {
  /** Ids of the messages and events whose commands had an effect here. */
  causes: string[] | Fingerprints
  /**
   * Highest offset of each partition that had an effect. It also covers a message that changed nothing: redelivered
   * after a later one, it must not be decided again, against a state it never met. So only one processor a topic may
   * write to a stream. A topic that was deleted and recreated begins at offset 0: its messages are no repeats, as their
   * time is later than all that was reached.
   */
  reached: Reached[]
}

interface Reached {
  origin: Origin
  offset: bigint
  /** The latest time up to that offset: producers' clocks may stamp records, so it does not always grow with the offset. */
  at: string | undefined
}

/**
 * Most causes in a list. A longer one costs more than a set: an episode has a cause for each clip that is searched for
 * in it.
 */
const maxListed = 16

export const nothingHandled = (): Handled => ({ causes: [], reached: [] })

export const note = (handled: Handled, { causationId, origin }: Noted): void => {
  const { causes } = handled
  if (!Array.isArray(causes)) causes.add(causationId)
  // The first push to an empty list allocates room for 17, in each of thousands of streams.
  else if (causes.length === 0) handled.causes = [causationId]
  else if (!causes.includes(causationId)) {
    causes.push(causationId)
    if (causes.length > maxListed) handled.causes = fingerprints(causes)
  }
  if (!origin) return
  const offset = BigInt(origin.offset)
  const known = find(handled, origin)
  if (!known) handled.reached = [...handled.reached, { origin, offset, at: origin.at }]
  else if (offset > known.offset || isLater(origin, known)) {
    known.offset = offset
    if (known.at === undefined || isLater(origin, known)) known.at = origin.at
  }
}

/** Number of stored causes. */
export const causesIn = ({ causes }: Handled): number =>
  Array.isArray(causes) ? causes.length : causes.size()

/** True if a command with this cause, or a later one of the same partition, had its effect here. */
export const isHandled = (
  handled: Handled,
  { causationId, formerCausationId, origin }: Noted & { readonly formerCausationId?: string | undefined },
): boolean => {
  if (hasCause(handled, causationId)) return true
  if (formerCausationId !== undefined && hasCause(handled, formerCausationId)) return true
  const known = origin && find(handled, origin)
  return known !== undefined && BigInt(origin!.offset) <= known.offset && !isLater(origin!, known)
}

const hasCause = ({ causes }: Handled, cause: string): boolean =>
  Array.isArray(causes) ? causes.includes(cause) : causes.has(cause)

/** False if a time is unknown: older events have none. */
const isLater = ({ at }: Origin, known: Reached): boolean =>
  at !== undefined && known.at !== undefined && at > known.at

type Noted = Pick<EventMetadata, 'causationId' | 'origin'>

const find = ({ reached }: Handled, { log, topic, partition }: Origin): Reached | undefined =>
  reached.find(({ origin }) => origin.partition === partition && origin.topic === topic && origin.log === log)
