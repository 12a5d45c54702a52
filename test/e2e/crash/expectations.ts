import { isLeft } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { isLeaderEvent } from '../../../src/domain/kernel/leader-lease.ts'
import type { Started } from '../run-fonds.ts'
import { messageOf } from './traffic.ts'

/* What must hold of the log, whatever was killed while it was written. */

/** The same numbers for the same seed (mulberry32). */
export const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Where each message was acknowledged to be: more than one place where it was sent again. */
export type Acknowledged = Map<number, Set<string>>

export const readAcknowledged = (producer: Started, acknowledged: Acknowledged): void => {
  for (const line of producer.stdout().split('\n').slice(0, -1)) {
    const [n, place] = line.split(/ (.*)/s) as [string, string]
    acknowledged.set(Number(n), (acknowledged.get(Number(n)) ?? new Set()).add(place))
  }
}

/** All but who held which duty, which is no fact about the archive. */
export const everything = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const batch = await eventStore.readAll(after, {}, 5000)()
    if (isLeft(batch)) throw new Error(batch.left.reason)
    events.push(...batch.right.events.filter((event) => !isLeaderEvent(event)))
    if (batch.right.caughtUp) return events
    after = batch.right.position
  }
}

/** Revisions are dense, positions and times never fall, no id comes twice; a cause has its say in a stream once. */
export const expectSoundLog = (events: readonly RecordedEvent[]): void => {
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  const next = new Map<string, bigint>()
  let [position, time] = [-1n, '']
  for (const event of events) {
    expect(event.revision).toBe(next.get(event.stream) ?? 0n)
    next.set(event.stream, event.revision + 1n)
    expect(event.position > position && event.recordedAt >= time).toBe(true)
    ;[position, time] = [event.position, event.recordedAt]
  }
  for (const [stream, life] of Map.groupBy(events, (event) => event.stream)) {
    const causes = life.map(({ metadata }) => metadata.causationId)
    const turns = causes.filter((cause, i) => cause !== causes[i - 1])
    expect(new Set(turns).size, stream).toBe(turns.length)
  }
}

export const expectEffects = async (
  { viewStore }: Pick<System, 'viewStore'>,
  events: readonly RecordedEvent[],
  acknowledged: Acknowledged,
  messages: number,
): Promise<void> => {
  const byCause = Map.groupBy(events, ({ metadata }) => metadata.causationId)
  const letters = new Map<string, number>()
  for (const { type, data } of events)
    if (type === 'DeadLettered') {
      const { topic, partition, offset } = data as { topic: string; partition: number; offset: string }
      const place = `${topic}/${partition}/${offset}`
      letters.set(place, (letters.get(place) ?? 0) + 1)
    }
  const places = [...acknowledged.values()].flatMap((each) => [...each])
  expect(new Set(places).size).toBe(places.length)

  const wrong: unknown[] = []
  for (let n = 0; n < messages; n++) {
    const put = acknowledged.get(n)
    const { cause, expected } = messageOf(n)
    const effects = byCause.get(cause) ?? []
    const says = effects.map(({ type, stream }) => `${type} in ${stream}`)
    if (!put) wrong.push(`${n} was never acknowledged`)
    else if (expected.kind === 'dead') {
      for (const place of put)
        if (letters.get(place) !== 1) wrong.push({ n, place, letters: letters.get(place) })
    } else {
      const main = expected.kind === 'effect' ? expected.type : 'MessageRejected'
      const streams = new Set(effects.map(({ stream }) => stream))
      const inPlace = expected.kind === 'rejected' || streams.has(expected.stream)
      if (effects.filter(({ type }) => type === main).length !== 1 || streams.size !== 1 || !inPlace)
        wrong.push({ n, expected, says })
    }
  }
  expect(wrong).toEqual([])
  // Nobody else's messages were bad.
  expect([...letters.values()].every((count) => count === 1)).toBe(true)
  expect(viewStore.tally('dead-letters', { by: [] })[0]?.count).toBe(letters.size)
}

/** Messages of one key came to their stream in the order in which they were sent. */
export const expectOrder = (events: readonly RecordedEvent[]): void => {
  for (const type of ['ContentRecorded', 'IndexRecorded']) {
    const told = events.filter((event) => event.type === type && event.stream.startsWith('fixity-elsewhere/'))
    for (const [stream, life] of Map.groupBy(told, (event) => event.stream)) {
      const sizes = life.map(({ data }) => (data as { size: number }).size)
      expect(sizes, stream).toEqual(sizes.toSorted((a, b) => a - b))
    }
  }
}
