import { isLeft } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createColors } from 'picocolors'
import type { Home } from '../../app/system.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { isLeaderEvent, category as leaderCategory, leaderEvents } from '../../domain/kernel/leader-lease.ts'
import { category as presenceCategory, presenceEvents } from '../../domain/kernel/presence.ts'
import type { EventFilter } from '../../ports/event-store.ts'
import { makeSureOfAll } from '../../projections/runtime/fold.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import type { Output } from '../output/output.ts'
import { visible } from '../output/text.ts'

interface EventsOptions {
  readonly stream?: string
  readonly category?: readonly string[]
  readonly type?: readonly string[]
  readonly from?: bigint
  readonly limit?: number
  readonly follow?: boolean
}

const pageSize = 1000

export const run = async (session: Session, options: EventsOptions): Promise<CliFailure | undefined> => {
  const home = await session.home(options.category || options.type ? undefined : [])
  const failure = unknownName(home, options)
  if (failure) return failure
  const from = options.from ?? 0n
  const wanted = (event: RecordedEvent) =>
    event.position >= from && passes(event, options) && (isChosen(options) || !isLeaderEvent(event))
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let shown = 0
  for await (const batch of batches(session, home, from, options)) {
    const fitting = batch.filter(wanted).slice(0, left)
    if (fitting.length > 0) await session.output.write(textOf(fitting, session.output))
    shown += fitting.length
    left -= fitting.length
    if (left <= 0 || session.output.closed.aborted) break
    if (!options.follow) session.signal.throwIfAborted()
  }
  if (shown === 0 && options.stream !== undefined && !options.follow && !(await exists(home, options.stream)))
    return refused(`there is no stream ${options.stream}`, '`fonds history <id>` finds a thing by its id')
  return undefined
}

const unknownName = ({ workflows }: Home, options: EventsOptions): CliFailure | undefined => {
  const ofProcesses = [
    { category: leaderCategory, events: leaderEvents },
    { category: presenceCategory, events: presenceEvents },
  ]
  const sets = [...workflows.flatMap(({ eventSets }) => eventSets), ...ofProcesses]
  const categories = [...new Set(sets.map(({ category }) => category))]
  const types = [...new Set(sets.flatMap(({ events }) => events.types))]
  const category = options.category?.find((name) => !categories.includes(name))
  if (category !== undefined)
    return refused(`there is no category ${category}`, didYouMean(category, categories))
  const type = options.type?.find((name) => !types.includes(name))
  if (type !== undefined) return refused(`there is no event type ${type}`, didYouMean(type, types))
  if (options.stream === '') return usage('--stream is empty')
  return undefined
}

const passes = (event: RecordedEvent, { stream, category, type }: EventsOptions): boolean =>
  (stream === undefined || event.stream === stream) &&
  (category === undefined || category.includes(categoryOf(event.stream))) &&
  (type === undefined || type.includes(event.type))

const isChosen = ({ stream, category, type }: EventsOptions): boolean =>
  stream !== undefined || category !== undefined || type !== undefined

/** Pages of events in order. They may hold more events than were asked for. */
async function* batches(
  { signal }: Session,
  { eventStore }: Home,
  from: bigint,
  { stream, category, type, follow }: EventsOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const categories = stream === undefined ? category : [categoryOf(stream)]
  const filter: EventFilter = { ...(categories && { categories }), ...(type && { types: type }) }
  if (follow) {
    await makeSureOfAll(eventStore)
    for await (const { events } of eventStore.subscribe(from - 1n, filter, signal)) yield events
    return
  }
  if (stream !== undefined) return yield* streamPages(eventStore, stream)
  for (let next = from; ; ) {
    const batch = await orThrow(eventStore.readAll(next - 1n, filter, pageSize))
    yield batch.events
    // Events before the damage are shown first: whoever wants only a few needs no more.
    if (batch.caughtUp) return makeSureOfAll(eventStore)
    next = batch.position + 1n
  }
}

async function* streamPages(
  eventStore: Home['eventStore'],
  stream: string,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let from: bigint | 'start' = 'start'; ; ) {
    const page: readonly RecordedEvent[] = await pipe(
      eventStore.read(stream, from, 'forward', pageSize),
      ifDeleted([]),
      orThrow,
    )
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    from = last.revision + 1n
  }
}

const exists = async ({ eventStore }: Home, stream: string): Promise<boolean> => {
  const first = await eventStore.read(stream, 'start', 'forward', 1)()
  return !isLeft(first) && first.right.length > 0
}

const textOf = (batch: readonly RecordedEvent[], output: Output): string => {
  if (!output.isTTY) return batch.map((event) => `${jsonText(event)}\n`).join('')
  const { bold, dim } = createColors(output.colour)
  return batch
    .map(({ position, recordedAt, type, stream, metadata }) =>
      [
        dim(String(position).padStart(8)),
        dim(recordedAt),
        bold(type),
        visible(stream),
        dim(`by ${visible(metadata.actor)}`),
      ].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('')
}
