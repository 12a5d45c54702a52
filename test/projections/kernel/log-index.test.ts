import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { causeOf } from '#src/domain/kernel/message.ts'
import { blockSize, logIndex } from '#src/projections/kernel/log-index.ts'
import { eventsByDay } from '#src/projections/kernel/questions/events-by-day.ts'
import { type Block, blocksOfMessage, blocksOfTypes } from '#src/projections/kernel/questions/log-places.ts'
import { behindWhich, eventsOfStretches, spanOfLog } from '#src/projections/kernel/questions/log-times.ts'
import { runs } from '../../runs.ts'
import { folding } from '../folding.ts'

const { open, foldAll } = folding(logIndex)

interface Said {
  readonly type: string
  readonly cause: string
  readonly stream?: string
  readonly day?: string
}

const logOf = (said: readonly Said[]): readonly RecordedEvent[] =>
  said.map(({ type, cause, stream = 'thing-1', day = '2026-01-01' }, i) => ({
    id: `${i}`,
    type,
    stream,
    revision: BigInt(i),
    // Positions have gaps, as those of a server do.
    position: BigInt(i * 3 + 1),
    recordedAt: `${day}T12:00:00.000Z`,
    data: {},
    metadata: { actor: 'a', causationId: cause, correlationId: 'c', schema: 1 },
  }))

const cause = (id: string) => causeOf({ source: '/a#b', id })

const foldedFrom = (log: readonly RecordedEvent[], batch = 1000) => {
  const { viewStore, generation } = open()
  foldAll(viewStore, generation, log, batch)
  const folded = viewStore.checkpoint(generation).position
  const ofMessage = async (id: string): Promise<readonly Block[]> => {
    const found: Block[] = []
    for await (const block of blocksOfMessage(viewStore, [id], folded)) found.push(block)
    return found
  }
  return { viewStore, ofMessage }
}

const isIn = (log: readonly RecordedEvent[], { after, until }: Block) =>
  log.filter(({ position }) => position > after && position <= until)

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts)

it('every event of a type and of a message is in the blocks that are named, whatever the log and its batches', async () => {
  const said = fc.record({ type: oneOf('A', 'B', 'Rare'), cause: oneOf('1', '2', 'a#b', '').map(cause) })
  const stretch = fc.tuple(said, fc.integer({ min: 1, max: 700 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(stretch, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 900 }),
      fc.nat(4000),
      async (stretches, batch, from) => {
        const log = logOf(stretches.flatMap(([each, times]) => Array.from({ length: times }, () => each)))
        const { viewStore, ofMessage } = foldedFrom(log, batch)
        for (const id of ['1', '2', 'a#b', '']) {
          const wanted = log.filter(({ metadata }) => metadata.causationId === cause(id))
          const found = (await ofMessage(id)).flatMap((block) => isIn(log, block))
          expect(wanted.every((event) => found.includes(event))).toBe(true)
        }
        for (const types of [['A'], ['Rare', 'B'], ['Nope']]) {
          const isWanted = ({ type }: RecordedEvent) => types.includes(type)
          const blocks = blocksOfTypes(viewStore, types, BigInt(from), 1000)
          const counted = blocks.reduce((sum, { count }) => sum + count, 0)
          const start = blocks[0]?.after ?? 0n
          expect(counted).toBe(
            blocks.length === 0 ? 0 : log.filter(isWanted).filter(({ position }) => position > start).length,
          )
          for (const event of log.filter(isWanted))
            if (event.position > BigInt(from))
              expect(blocks.some(({ after }) => after < event.position)).toBe(true)
        }
        // The rows are those of one fold of all.
        const once = foldedFrom(log, log.length).viewStore
        for (const { name } of logIndex.views) expect(viewStore.query(name, {})).toEqual(once.query(name, {}))
      },
    ),
    { numRuns: runs(25) },
  )
})

it('of a long log few blocks are named for a message, and none for most that it never heard of', async () => {
  const log = logOf(Array.from({ length: 40 * blockSize }, (_, i) => ({ type: 'A', cause: cause(`m${i}`) })))
  const { ofMessage, viewStore } = foldedFrom(log, 10_000)
  expect(viewStore.query('log-blocks', {})).toHaveLength(40)
  const named = await ofMessage('m12345')
  expect(named.flatMap((block) => isIn(log, block)).map(({ id }) => id)).toContain('12345')
  let inVain = named.length - 1
  for (let i = 0; i < 100; i++) inVain += (await ofMessage(`unknown ${i}`)).length
  // Of 4,000 looks at a block, 0.12 are to be expected to be in vain.
  expect(inVain).toBeLessThan(10)
})

it('what the log forgets leaves no trace: a fold of the rest gives the same rows', () => {
  const duty = { type: 'DutyExtended', cause: 'x', stream: 'duty-reactions' }
  const said = Array.from({ length: 1500 }, (_, i) =>
    i % 3 === 0 ? duty : { type: 'A', cause: cause(`m${i}`) },
  )
  const log = logOf(said)
  const whole = foldedFrom(log).viewStore
  const rest = foldedFrom(log.filter(({ type }) => type === 'A')).viewStore
  for (const { name } of logIndex.views) expect(whole.query(name, {})).toEqual(rest.query(name, {}))
})

it('events of a type are counted by the day on which they were recorded, wherever blocks end', () => {
  const days = ['2025-12-31', '2026-01-01', '2026-01-01', '2026-02-01'].flatMap((day, i) =>
    Array.from({ length: 300 + i }, (_, k) => ({ type: k % 3 === 0 ? 'B' : 'A', cause: cause('1'), day })),
  )
  const { viewStore } = foldedFrom(logOf(days), 100)
  const counted = (day: string, type: string) =>
    days.filter((said) => said.day === day && said.type === type).length
  const all = ['2025-12-31', '2026-01-01', '2026-02-01'].map((day) => ({
    ...{ day, type: 'A' },
    events: counted(day, 'A'),
  }))
  expect(eventsByDay(viewStore, ['A'], '2025-01-01')).toEqual(all)
  expect(eventsByDay(viewStore, ['A'], '2026-01-01')).toEqual(all.slice(1))
  expect(eventsByDay(viewStore, ['A', 'B'], '2026-02-01').map(({ events }) => events)).toEqual([
    counted('2026-02-01', 'A'),
    counted('2026-02-01', 'B'),
  ])
  expect(eventsByDay(viewStore, ['Nope'], '2025-01-01')).toEqual([])
})

it('events are counted by stretches of seconds, and the place of a time is found, however the clock ran', () => {
  const begin = Date.parse('2026-01-01T00:00:00.000Z')
  fc.assert(
    fc.property(
      // Millis from one event to the next: a clock may run backward.
      fc.array(fc.integer({ min: -3000, max: 9000 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: -2000, max: 300_000 }),
      fc.integer({ min: 1, max: 70 }),
      (steps, seconds, asked, batch) => {
        let time = begin
        const log = logOf(steps.map(() => ({ type: 'A', cause: cause('1') }))).map((event, i) => {
          time = Math.max(begin, time + (steps[i] ?? 0))
          return { ...event, recordedAt: new Date(time).toISOString() }
        })
        const { viewStore } = foldedFrom(log, batch)
        // The latest second so far is that of an event.
        let latest = ''
        const told = log.map(({ recordedAt }) => {
          if (recordedAt.slice(0, 19) > latest) latest = recordedAt.slice(0, 19)
          return latest
        })
        const span = spanOfLog(viewStore)!
        expect(span.since.slice(0, 19)).toBe(told[0])
        const stretches = eventsOfStretches(viewStore, span, seconds)
        expect(stretches.map(({ events }) => events)).toEqual(
          stretches.map(({ from }, i) => {
            const until = stretches[i + 1]?.from ?? span.until
            return told.filter((at) => at >= from.slice(0, 19) && at < until.slice(0, 19)).length
          }),
        )
        expect(stretches.reduce((sum, { events }) => sum + events, 0)).toBe(log.length)
        const at = new Date(begin + asked).toISOString()
        const from = behindWhich(viewStore, at)
        const firstLater = log.findIndex(({ recordedAt }) => recordedAt > at)
        // No event up to there came later, and the first one that did is not far.
        expect(log.filter(({ position, recordedAt }) => position <= from && recordedAt > at)).toEqual([])
        if (firstLater >= 0 && from >= 0n)
          expect(
            log
              .slice(0, firstLater)
              .filter(({ position }) => position > from)
              .every(({ position }) => told[Number(position / 3n)] === told[Number((from + 1n) / 3n)]),
          ).toBe(true)
      },
    ),
    { numRuns: runs(100) },
  )
})

it('an empty log has no span', () => {
  const { viewStore } = foldedFrom([])
  expect(spanOfLog(viewStore)).toBe(undefined)
  expect(behindWhich(viewStore, '2026-01-01T00:00:00.000Z')).toBe(-1n)
})
