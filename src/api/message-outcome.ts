import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../domain/kernel/codecs.ts'
import { category as deadLetterCategory, deadLetterEvents } from '../domain/kernel/dead-letter.ts'
import { isObject } from '../domain/kernel/envelope.ts'
import { categoryOf, idOf, type RecordedEvent } from '../domain/kernel/event.ts'
import { parseJson } from '../domain/kernel/json-text.ts'
import { causeOf } from '../domain/kernel/message.ts'
import { category as refusalCategory } from '../domain/kernel/refusal.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Unavailable } from '../ports/event-store.ts'
import type { System } from '../system/system.ts'
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
    /** What was compared, by the code. */
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

/** How many of the newest events are looked through for effects and dead letters: the log has no index of causes. */
const recent = 20_000
const pageSize = 1000

/** A message may be refused on thousands of streams, and have an effect on as many: so many are told of in words. */
const toldInWords = 5
const mostRejections = 1000

/** What became of a message, as far as can be found out. Several processors may each have had their say. */
export const messageOutcome = async (
  system: System,
  id: string,
  source: string | undefined,
): Promise<Either<Unavailable, t.TypeOf<typeof Outcomes>>> => {
  const traces = await recentTraces(system, id, source)
  if (isLeft(traces)) return traces
  const outcomes = [...rejections(system, id, source), ...traces.right]
  const known = outcomes.length > 0
  const detail = known
    ? inWords(outcomes)
    : 'nothing is known of it (yet): it waits on its topic, changed nothing, or is long past'
  return right({ id, known, detail, outcomes })
}

const inWords = (outcomes: readonly Outcome[]): string => {
  const untold = outcomes.length - toldInWords
  return [
    ...outcomes.slice(0, toldInWords).map(sentence),
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

const rejections = ({ viewStore }: System, id: string, source: string | undefined): Outcome[] => {
  if (!viewStore.shape('rejections')) return []
  const where = [
    { column: 'message', is: '=', value: id } as const,
    ...(source === undefined ? [] : [{ column: 'source', is: '=', value: source } as const]),
  ]
  return viewStore.query('rejections', { where, limit: mostRejections }).map((row) => ({
    kind: 'rejected',
    processor: row.processor as string,
    stream: row.stream as string,
    code: row.code as string,
    because: row.because as string,
    at: row.at as string,
    ...(row.details ? { details: row.details as NonNullable<Rejection['details']> } : {}),
  }))
}

const recentTraces = async (
  { eventStore }: System,
  id: string,
  source: string | undefined,
): Promise<Either<Unavailable, Outcome[]>> => {
  const outcomes: Outcome[] = []
  let before: bigint | 'end' = 'end'
  for (let looked = 0; looked < recent; looked += pageSize) {
    const page: Either<Unavailable, readonly RecordedEvent[]> = await eventStore.readBack(before, pageSize)()
    if (isLeft(page)) return page
    outcomes.push(...page.right.flatMap((event) => traceOf(event, id, source)))
    const oldest = page.right.at(-1)
    if (!oldest || page.right.length < pageSize) break
    before = oldest.position
  }
  return right(outcomes.reverse())
}

const traceOf = (event: RecordedEvent, id: string, source: string | undefined): Outcome[] => {
  const category = categoryOf(event.stream)
  // Rejections are looked up in their view, whatever their age.
  if (category === refusalCategory) return []
  if (category === deadLetterCategory) return burialOf(event, id, source)
  const { causationId } = event.metadata
  const caused =
    source === undefined ? causationId.endsWith(`#${id}`) : causationId === causeOf({ source, id })
  if (!caused) return []
  const { type, stream, revision, position, recordedAt } = event
  return [
    { kind: 'effect', type, stream, revision: String(revision), position: String(position), at: recordedAt },
  ]
}

const burialOf = (event: RecordedEvent, id: string, source: string | undefined): Outcome[] => {
  const read = deadLetterEvents.read(event)
  if (isLeft(read) || read.right.type !== 'DeadLettered') return []
  const { headers, value, encoding, processor, reason, message, at } = read.right.data
  const names = namesIn(headers, encoding === 'text' ? value : '')
  if (names.id !== id || (source !== undefined && names.source !== source)) return []
  return [{ kind: 'dead', deadLetter: idOf(event.stream), processor, reason, because: message, at }]
}

/** Id and source by which the producer knows a message, as far as they can be read at all. */
const namesIn = (headers: Readonly<Record<string, string>>, value: string) => {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]))
  if (lower.ce_id !== undefined) return { id: lower.ce_id, source: lower.ce_source }
  const json = parseJson(value)
  return isLeft(json) || !isObject(json.right) ? {} : { id: json.right.id, source: json.right.source }
}
