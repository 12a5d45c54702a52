import type { EventMetadata, Origin } from '../../domain/kernel/event.ts'

/**
 * What already had its say in a stream. Event ids alone do not protect against a redelivered command (a store writes
 * at a fitting revision without looking at ids), so causes are folded along with the state.
 *
 * It only grows, and what it holds stays true: all states of a stream share one, a copy each would cost its length.
 */
export interface Handled {
  /** Ids of the messages and events whose commands had an effect here. */
  readonly causes: Set<string>
  /**
   * Highest offset that had an effect, by `log/topic/partition`. It also covers a message that changed nothing:
   * redelivered behind a later one it must not be decided again, against a state it never met. Streams are therefore
   * written by one processor a topic.
   */
  readonly offsets: Map<string, bigint>
}

export const nothingHandled = (): Handled => ({ causes: new Set(), offsets: new Map() })

export const note = ({ causes, offsets }: Handled, { causationId, origin }: Noted): void => {
  causes.add(causationId)
  if (!origin) return
  const log = logOf(origin)
  const offset = BigInt(origin.offset)
  if (offset > (offsets.get(log) ?? -1n)) offsets.set(log, offset)
}

/** Did a command with this cause, or a later one of the same partition, have its effect here? */
export const isHandled = ({ causes, offsets }: Handled, { causationId, origin }: Noted): boolean =>
  causes.has(causationId) ||
  (origin !== undefined && BigInt(origin.offset) <= (offsets.get(logOf(origin)) ?? -1n))

type Noted = Pick<EventMetadata, 'causationId' | 'origin'>

const logOf = (origin: Origin): string => `${origin.log}/${origin.topic}/${origin.partition}`
