import { right } from 'fp-ts/lib/Either.js'
import pino from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Difference } from '#src/domain/ingest/object/storage.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { startStorageWatch } from '#src/workers/ingest/storage/watch-storage.ts'
import { manualClock } from '../../../fakes/manual-clock.ts'

/** Storage and log, as lists of versions by object; the watch looks at two objects a minute. */
const watched = (
  held: Readonly<Record<string, readonly number[]>>,
  known: Readonly<Record<string, readonly number[]>>,
  { beingStored = [], refusal }: { beingStored?: readonly string[]; refusal?: string } = {},
) => {
  const clock = manualClock()
  const said = new Map<string, readonly Difference[]>()
  let opened = 0
  const versionsOf = (numbers: readonly number[] = []) =>
    numbers.map((version) => ({ version, inventoryDigest: `d${version}`, job: 1 }))
  const objects: Pick<ObjectStore, 'inspect' | 'list' | 'aside'> = {
    aside: () => async () => right([]),
    inspect: (object) => async () =>
      right(held[object] && { object, versions: versionsOf(held[object]), strays: [] }),
    list: (after, limit) => async () =>
      right(
        Object.keys(held)
          .sort()
          .filter((object) => object > after)
          .slice(0, limit)
          .map((object) => ({ place: object, object })),
      ),
  }
  const { stop } = startStorageWatch({
    refusal: async () => refusal,
    objectStore: async () => {
      opened++
      return objects as ObjectStore
    },
    viewStore: {
      query: (_, { where = [], limit = 100 } = {}) => {
        const after = where.find(({ column }) => column === 'object') as
          | { readonly value: string }
          | undefined
        return Object.entries(known)
          .filter(([object]) => object > (after?.value ?? ''))
          .map(([object, versions]) => ({ object, version: versions.length }))
          .slice(0, limit)
      },
    },
    knownObject: async (object) => ({
      versions: versionsOf(known[object]),
      setAside: [],
      differences: said.get(object) ?? [],
      isBeingStored: beingStored.includes(object),
    }),
    send: async (reports) => {
      for (const { data } of reports) {
        const { object, differences } = data as { object: string; differences: readonly Difference[] }
        said.set(object, differences)
      }
    },
    clock,
    log: pino({ level: 'silent' }),
    perMinute: 2,
  })
  onTestFinished(stop)
  /** So many minutes pass, each looked at to its end. */
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      const before = clock.sleeps.length
      clock.advance(60_000)
      await vi.waitFor(() => expect(clock.sleeps.length).toBeGreaterThan(before))
    }
  }
  return { said, minutes, opened: () => opened }
}

it('looks through storage and log, part after part, wherever it began', async () => {
  const { said, minutes } = watched({ a: [1], b: [1, 2], c: [1], z: [1] }, { a: [1], b: [1], c: [1], d: [1] })
  // Two rounds of at most three parts each: one may begin behind everything.
  await minutes(12)
  expect([...said]).toEqual(
    expect.arrayContaining([
      ['b', [{ what: 'version-without-event', version: 2, file: '' }]],
      ['z', [{ what: 'object-without-event', version: 0, file: '' }]],
      ['d', [{ what: 'event-without-object', version: 0, file: '' }]],
    ]),
  )
  expect(said.size).toBe(3)
})

it('says nothing of an object while a job stores it', async () => {
  const { said, minutes } = watched({ a: [1, 2], b: [1, 2] }, { a: [1], b: [1] }, { beingStored: ['a'] })
  await minutes(6)
  expect([...said.keys()]).toEqual(['b'])
})

it('looks at no root that is not the archive’s: all that it lacks would be told as lost', async () => {
  const { said, minutes, opened } = watched({}, { a: [1] }, { refusal: 'another root' })
  await minutes(3)
  expect([...said.keys()]).toEqual([])
  expect(opened()).toBe(0)
})

it('opens no storage where nothing was ever stored', async () => {
  const { minutes, opened } = watched({}, {})
  await minutes(3)
  expect(opened()).toBe(0)
})
