import { earliest, type KeyRange, latest } from '@fonds/cdx'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { accessEvents } from '../../../domain/indexing/access/events.ts'
import { type AccessTerms, accessCategory } from '../../../domain/indexing/access/rule.ts'
import { joinedRanges, ruledRanges } from '../../../domain/indexing/access/ruled-ranges.ts'
import type { Known } from '../../../domain/indexing/changes/place.ts'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { Moment } from '../access/embargoes.ts'
import { embargoesInForce, rulesInForce } from '../access/rules-in-force.ts'

const filter = { categories: [accessCategory], types: accessEvents.types }
const batchEvents = 10_000

/**
 * Ranges where rules of access may make other lines visible than before: because of rules set meanwhile, or of time
 * that passed.
 */
export const rangesToResend = async (
  eventStore: EventStore,
  from: Known,
  to: Known,
): Promise<readonly KeyRange[]> => {
  const changed = await streamsChanged(eventStore, from.rules, to.rules)
  const terms = await Promise.all([...changed].map((stream) => allTerms(eventStore, stream)))
  const moved = (await rulesInForce(eventStore)).filter(isMovedBetween(from.at, to.at))
  return joinedRanges([...terms.flat(), ...moved].flatMap(ruledRanges))
}

/** Names of archive files whose captures embargoes hid, or showed, meanwhile. */
export const embargoesMoved = async (eventStore: EventStore, from: Known, to: Known) => {
  const embargoes = await embargoesInForce(eventStore)
  const [before, after] = [from, to].map(({ rules: position, at }) => ({ position, at })) as [Moment, Moment]
  return { hidden: embargoes.began(before, after), shown: embargoes.ended(before, after) }
}

const streamsChanged = async (
  eventStore: EventStore,
  after: bigint,
  upTo: bigint,
): Promise<ReadonlySet<string>> => {
  const streams = new Set<string>()
  for (let position = after; position < upTo; ) {
    const batch = await orThrow(eventStore.readAll(position, filter, batchEvents))
    for (const event of batch.events) if (event.position <= upTo) streams.add(event.stream)
    if (batch.caughtUp) break
    position = batch.position
  }
  return streams
}

/** All terms that a rule ever had: its earlier terms hid lines, too. */
const allTerms = async (eventStore: EventStore, stream: string): Promise<readonly AccessTerms[]> => {
  const terms: AccessTerms[] = []
  let from: bigint | 'start' = 'start'
  for (;;) {
    const events: readonly RecordedEvent[] = await orThrow(
      eventStore.read(stream, from, 'forward', batchEvents),
    )
    for (const event of events) {
      const read = accessEvents.read(event)
      if (isLeft(read)) throw new UnavailableError(`a rule of access cannot be read: ${read.left}`)
      if (read.right.type === 'AccessRuleSet') terms.push(read.right.data)
    }
    const last = events.at(-1)
    if (!last || events.length < batchEvents) return terms
    from = last.revision + 1n
  }
}

/**
 * True for rules whose period began or ended in between, and for embargoes on a new day: an embargo moves all the time;
 * a secondary follows it once a day.
 */
const isMovedBetween = (from: string, to: string) => {
  const [first, last] = [digitsOf(from), digitsOf(to)]
  const isNewDay = from.slice(0, 10) < to.slice(0, 10)
  const isPassed = (time: string) => time >= first && time <= last
  return ({ accessedFrom, accessedTo, youngerThanDays }: AccessTerms): boolean =>
    (accessedFrom !== undefined && isPassed(earliest(accessedFrom))) ||
    (accessedTo !== undefined && isPassed(latest(accessedTo))) ||
    (youngerThanDays !== undefined && isNewDay)
}

const digitsOf = (time: string): string => time.replace(/\D/g, '').slice(0, 14)
