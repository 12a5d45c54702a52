import { setImmediate } from 'node:timers/promises'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { System } from '../app/system.ts'
import { livePosition } from '../async/caught-up.ts'
import { orThrow } from '../async/unavailable.ts'
import { Text, Time } from '../domain/kernel/codecs.ts'
import { category as deadLetterCategory, deadLetterEvents } from '../domain/kernel/dead-letter.ts'
import { categoryOf, idOf, type RecordedEvent } from '../domain/kernel/event.ts'
import { causeOf } from '../domain/kernel/message.ts'
import { messageIdOf, namesOfLetter } from '../domain/kernel/message-names.ts'
import { is, rowsIfFolded } from '../domain/kernel/read-views.ts'
import { category as rejectionCategory } from '../domain/kernel/rejected-message.ts'
import { rejections as rejectionsView } from '../domain/kernel/views.ts'
import type { EventBatch } from '../ports/event-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import { blockSize, logIndex } from '../projections/kernel/log-index.ts'
import { blocksOfMessage } from '../projections/kernel/questions/log-places.ts'
import { Place } from './http/parameters.ts'

const Outcome = t.union([
  t.type({ kind: t.literal('effect'), type: Text, stream: Text, revision: Place, position: Place, at: Time }),
  t.intersection([
    t.type({
      kind: t.literal('rejected'),
      processor: Text,
      stream: Text,
      code: Text,
      because: Text,
      at: Time,
    }),
    /** Numbers and ids that were compared, as in the rejection. */
    t.partial({ details: t.record(Text, t.union([t.string, t.number])) }),
  ]),
  t.type({
    kind: t.literal('dead'),
    deadLetter: Text,
    processor: Text,
    reason: Text,
    because: Text,
    at: Time,
  }),
])
type Outcome = t.TypeOf<typeof Outcome>

export const Outcomes = t.type({ id: Text, known: t.boolean, detail: Text, outcomes: t.array(Outcome) })

/** Most events behind the end of the log's index that are read, the newest first. */
const maxUnindexed = 20_000
/** The first page is small: mostly few events are behind the index. */
const minPage = 64
const maxPage = 1024

/** Most blocks of the log that are read for one answer. */
const maxBlocks = 100

/** A message may be rejected on thousands of streams, and affect as many: `detail` names the first. */
const maxInWords = 5
const maxRejections = 1000

/** Returns the outcome of a message, as far as it is known. Each processor that reads its topic may have one for it. */
export const messageOutcome = async (
  system: System,
  id: string,
  source: string | undefined,
): Promise<Either<Unavailable, t.TypeOf<typeof Outcomes>>> => {
  const message = askedFor(id, source === undefined ? undefined : await sourcesOf(system, source))
  const folded = livePosition(system.viewStore, logIndex.name)
  const indexed = folded < 0n ? right([]) : await indexedTraces(system, message, folded)
  if (isLeft(indexed)) return indexed
  const newest = await newestTraces(system, message, folded)
  if (isLeft(newest)) return newest
  const outcomes = [...rejections(system, message), ...indexed.right, ...newest.right.traces]
  const known = outcomes.length > 0
  const detail = known ? inWords(outcomes) : nothingKnown(newest.right.reached)
  return right({ id, known, detail, outcomes })
}

const nothingKnown = (reached: boolean): string =>
  reached
    ? 'nothing is known of it (yet): it waits on its topic, or changed nothing'
    : `nothing is known of it (yet): it waits on its topic, changed nothing, or is older than the newest ${maxUnindexed} events, while the index of the log is being made; ask again in a while`

const inWords = (outcomes: readonly Outcome[]): string => {
  const untold = outcomes.length - maxInWords
  return [
    ...outcomes.slice(0, maxInWords).map(sentence),
    ...(untold > 0 ? [`and ${untold} more: see outcomes`] : []),
  ].join('; ')
}

const sentence = (outcome: Outcome): string => {
  switch (outcome.kind) {
    case 'effect':
      return `${outcome.type} in ${outcome.stream}`
    case 'rejected':
      return `rejected: ${outcome.because}`
    case 'dead':
      return `could not be used: ${outcome.because}`
  }
}

const rejections = ({ viewStore }: System, { ids, sources }: Asked): Outcome[] => {
  const wheres = ids.flatMap((id) => {
    const ofId = is('message', id)
    return sources ? sources.map((source) => [ofId, is('source', source)]) : [[ofId]]
  })
  return wheres
    .flatMap((where) => rowsIfFolded(viewStore, rejectionsView, { where, limit: maxRejections }))
    .map(({ processor, stream, code, because, at, details }) => ({
      kind: 'rejected',
      processor,
      stream,
      code,
      because,
      at,
      ...(details ? { details } : {}),
    }))
}

interface Asked {
  readonly ids: readonly string[]
  readonly sources: readonly string[] | undefined
  /** Undefined: of any source. */
  readonly causes: readonly string[] | undefined
}

/** The names of one source: as it is given, and by reference, as that of a person who signed in. */
const sourcesOf = async (
  { config, personal }: Pick<System, 'config' | 'personal'>,
  source: string,
): Promise<readonly string[]> => {
  if (config.personalValues === 'off') return [source]
  const reference = await orThrow(personal.referenceOf(source), 'personal values')
  return reference === undefined ? [source] : [source, reference]
}

/** A name also stands in quotes, where Spring wrote it: in dead letters, and in events of older versions. */
const askedFor = (id: string, given: readonly string[] | undefined): Asked => {
  const ids = [id, JSON.stringify(id)]
  const sources = given?.flatMap((source) => [source, JSON.stringify(source)])
  const causes = sources?.flatMap((one) => ids.map((other) => causeOf({ source: one, id: other })))
  return { ids, sources, causes }
}

/** Reads traces from the blocks that the log's index names, up to its position. */
const indexedTraces = async (
  { eventStore, viewStore }: System,
  message: Asked,
  folded: bigint,
): Promise<Either<Unavailable, Outcome[]>> => {
  const outcomes: Outcome[] = []
  let read = 0
  for await (const { after, until } of blocksOfMessage(viewStore, message.ids, folded)) {
    if (++read > maxBlocks) break
    for (let position = after; position < until; ) {
      const page: Either<Unavailable, EventBatch> = await eventStore.readAll(position, {}, blockSize)()
      if (isLeft(page)) return page
      const events = page.right.events.filter((event) => event.position <= until)
      outcomes.push(...events.flatMap((event) => traceOf(event, message)))
      if (page.right.caughtUp) break
      position = page.right.position
      await setImmediate()
    }
  }
  return right(outcomes)
}

/**
 * Reads traces from the events behind the index. `reached`: all of them were read, not only the newest `maxUnindexed`.
 */
const newestTraces = async (
  { eventStore }: System,
  message: Asked,
  folded: bigint,
): Promise<Either<Unavailable, { readonly traces: Outcome[]; readonly reached: boolean }>> => {
  const traces: Outcome[] = []
  let before: bigint | 'end' = 'end'
  for (let scanned = 0, size = minPage; scanned < maxUnindexed; scanned += size) {
    size = Math.min(size * 2, maxPage, maxUnindexed - scanned)
    const page: Either<Unavailable, readonly RecordedEvent[]> = await eventStore.readBack(before, size)()
    if (isLeft(page)) return page
    const events: readonly RecordedEvent[] = page.right.filter(({ position }) => position > folded)
    traces.push(...events.flatMap((event) => traceOf(event, message)))
    if (events.length < size) return right({ traces: traces.reverse(), reached: true })
    before = events.at(-1)!.position
    await setImmediate()
  }
  return right({ traces: traces.reverse(), reached: false })
}

const traceOf = (event: RecordedEvent, asked: Asked): Outcome[] => {
  const category = categoryOf(event.stream)
  // Rejections come from their view, which has them all.
  if (category === rejectionCategory) return []
  if (category === deadLetterCategory) return deadLetterOf(event, asked)
  const id = messageIdOf(event)
  if (id === undefined || !asked.ids.includes(id)) return []
  if (asked.causes && !asked.causes.includes(event.metadata.causationId)) return []
  const { type, stream, revision, position, recordedAt } = event
  return [
    { kind: 'effect', type, stream, revision: String(revision), position: String(position), at: recordedAt },
  ]
}

const deadLetterOf = (event: RecordedEvent, { ids, sources }: Asked): Outcome[] => {
  const read = deadLetterEvents.read(event)
  if (isLeft(read) || read.right.type !== 'DeadLettered') return []
  const { processor, reason, message, at } = read.right.data
  const names = namesOfLetter(read.right.data)
  if (!ids.includes(names.id as string)) return []
  if (sources && !sources.includes(names.source as string)) return []
  return [{ kind: 'dead', deadLetter: idOf(event.stream), processor, reason, because: message, at }]
}
