import { type EventData, jsonEvent } from '@eventstore/db-client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../../runs.ts'
import { collect, paths, type Running, runGateway } from './running-gateway.ts'

/* Whatever the client does to a few streams, they read as a simple model of EventStoreDB says. */

let running: Running
beforeAll(async () => {
  running = await runGateway()
})
afterAll(() => running.dispose())

interface Stream {
  /** All that were ever written; undefined what a $maxCount has dropped. */
  events: (EventData | undefined)[]
  metadata: { maxCount?: number; truncateBefore?: number }
  deleted: boolean
  tombstoned: boolean
}
type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint

const fresh = (): Stream => ({ events: [], metadata: {}, deleted: false, tombstoned: false })
const last = (stream: Stream): bigint => BigInt(stream.events.length - 1)

const append = (stream: Stream, expected: Expected, events: readonly EventData[]): string => {
  if (stream.tombstoned) return 'stream-deleted'
  if (expected === 'stream_exists' && stream.deleted) return 'stream-deleted'
  const fits =
    expected === 'any' ||
    (expected === 'no_stream' && (stream.events.length === 0 || stream.deleted)) ||
    (expected === 'stream_exists' && (stream.events.length > 0 || 'set' in stream.metadata)) ||
    expected === last(stream)
  if (!fits) return 'wrong-expected-version'
  if (stream.deleted) stream.metadata = { truncateBefore: stream.events.length }
  stream.deleted = false
  stream.events.push(...events)
  const { maxCount } = stream.metadata
  if (maxCount !== undefined) stream.events.fill(undefined, 0, Math.max(0, stream.events.length - maxCount))
  return `at ${last(stream)}`
}

const remove = (stream: Stream, expected: Exclude<Expected, 'stream_exists'>, tombstone: boolean): string => {
  if (stream.tombstoned) return 'stream-deleted'
  const fits =
    stream.events.length > 0
      ? expected === 'any' || expected === last(stream) || (expected === 'no_stream' && stream.deleted)
      : tombstone && (expected === 'any' || expected === 'no_stream')
  if (!fits) return 'wrong-expected-version'
  if (tombstone) stream.tombstoned = true
  else stream.deleted = true
  return 'done'
}

const read = (stream: Stream): string | string[] => {
  if (stream.tombstoned) return 'stream-deleted'
  if (stream.deleted || stream.events.length === 0) return 'stream-not-found'
  const { maxCount = Number.POSITIVE_INFINITY, truncateBefore = 0 } = stream.metadata
  const first = Math.max(truncateBefore, stream.events.length - maxCount)
  return stream.events.flatMap((event, n) => (event && n >= first ? [`${n} ${event.id}`] : []))
}

const small = fc.integer({ min: 0, max: 5 })
const expected = fc.oneof(
  fc.constantFrom<Expected[]>('any', 'any', 'no_stream', 'stream_exists', 'present' as never),
  small.map(BigInt),
)
const step = fc.record({
  stream: fc.integer({ min: 0, max: 2 }),
  path: fc.constantFrom(...paths),
  expected,
  what: fc.oneof(
    { weight: 8, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.constant({ delete: 'soft' as const }) },
    { weight: 1, arbitrary: fc.constant({ delete: 'tombstone' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({
        set: fc.record(
          { maxCount: fc.integer({ min: 1, max: 4 }), truncateBefore: small },
          { requiredKeys: [] },
        ),
      }),
    },
  ),
})

let sequences = 0

it('any sequence of appends, deletions and metadata reads as the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { client } = running
      const run = sequences++
      const streams = [fresh(), fresh(), fresh()]
      const outcome = (work: Promise<string>) => work.catch((error) => String(error.type))
      for (const { stream: n, path, expected: believed, what } of steps) {
        const name = `model${run}-${n}`
        const stream = streams[n]!
        const expectedRevision =
          (believed as string) !== 'present'
            ? believed
            : stream.events.length > 0
              ? last(stream)
              : 'no_stream'
        if ('append' in what) {
          const events = Array.from({ length: what.append }, () => jsonEvent({ type: 'M', data: {} }))
          const done = client.appendToStream(name, events, { ...path.options, expectedRevision })
          const real = await outcome(done.then((appended) => `at ${appended.nextExpectedRevision}`))
          expect(real).toBe(append(stream, expectedRevision, events))
        } else if ('set' in what) {
          const real = await outcome(client.setStreamMetadata(name, what.set).then(() => 'done'))
          expect(real).toBe(stream.tombstoned ? 'stream-deleted' : 'done')
          if (stream.tombstoned) continue
          stream.metadata = { ...what.set, ...{ set: true } }
          const { truncateBefore = 0 } = what.set
          if (stream.deleted) stream.metadata.truncateBefore = Math.max(truncateBefore, stream.events.length)
          stream.deleted = false
        } else if (expectedRevision !== 'stream_exists') {
          const removal = { ...path.options, expectedRevision }
          const done =
            what.delete === 'soft'
              ? client.deleteStream(name, removal)
              : client.tombstoneStream(name, removal)
          const real = await outcome(done.then(() => 'done'))
          expect(real).toBe(remove(stream, expectedRevision, what.delete === 'tombstone'))
        }
      }
      for (const [n, stream] of streams.entries()) {
        const events = collect(client.readStream(`model${run}-${n}`))
        const real = await events.then(
          (all) => all.map(({ event }) => `${event?.revision} ${event?.id}`),
          (error) => String(error.type),
        )
        expect(real).toEqual(read(stream))
      }
    }),
    { numRuns: runs(60) },
  )
})
