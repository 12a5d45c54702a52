import { expect, it } from 'vitest'
import { fileStream } from '#src/domain/indexing/file.ts'
import { placeOf } from '#src/domain/kernel/event-place.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import type { IndexChange, IndexPlace, WrittenRun } from '#src/ports/capture-index.ts'
import { publisher } from '#src/processors/indexing/publisher.ts'
import { indexingWorld, named } from './world.ts'

const digest = 'ab'.repeat(32)
const run: WrittenRun = { name: 'r-1', lines: 1, bytes: 4, sha256: digest, first: 'a', last: 'a' }

const setUp = async (place?: object, runOf: () => WrittenRun | undefined = () => run) => {
  const world = indexingWorld()
  const added: IndexChange[] = []
  const told: object[] = []
  const asked: string[][] = []
  let now: IndexPlace = { reached: 0n }
  /** Files whose embargoes were listed, and how many changes had been handed over then. */
  const listed: [readonly string[] | undefined, number][] = []
  const subscription = publisher({
    ...world,
    listEmbargoes: async (files) => void listed.push([files, added.length]),
    runOfLines: async (id, of) => {
      asked.push([id, of])
      return runOf()
    },
    add: async (changes) => void added.push(...changes),
    refuse: async (refused) => void told.push(refused),
    indexPlace: async () => now,
    takenPlace: async () => now,
  })
  const file = named('a.warc')
  await world.sight('a.warc')
  await world.on(file, {
    type: 'Claim',
    holder: 'w',
    deadline: addMillis(world.clock.now(), MINUTE),
    millis: MINUTE,
    policy: world.policy,
  })
  const { size, modifiedAt } = { size: 1, modifiedAt: '2026-01-31T11:00:00.000Z' }
  const outcome = { status: 'indexed', files: 1, lines: 1, digest, ...place, size, modifiedAt }
  await world.on(file, { type: 'Report', holder: 'w', fence: 1, outcome, policy: world.policy })
  const publish = async (isLeader = () => true) => {
    const events = (await world.eventsOf(fileStream(file))).filter(({ type }) =>
      ['FileIndexed', 'FileWithdrawn', 'EmbargoSet'].includes(type),
    )
    return subscription.handle(
      { events, position: 9n, caughtUp: true },
      isLeader,
      new AbortController().signal,
    )
  }
  const { load, reached: done } = subscription.ownCheckpoint!
  const begin = (from: IndexPlace) => {
    now = from
    return load(new AbortController().signal)
  }
  return { world, file, added, listed, told, asked, publish, begin, done }
}

it('what was indexed and withdrawn is handed over, with its places in the log; of an older event the lines in its file', async () => {
  const { world, file, added, told, asked, publish } = await setUp()
  await world.on(file, { type: 'Withdraw' })
  expect(await publish()).toBe(true)
  expect(added).toMatchObject([
    { kind: 'publish', file: 'main/a.warc', run },
    { kind: 'withdraw', file: 'main/a.warc' },
  ])
  expect(added[0]!.position < added[1]!.position).toBe(true)
  const events = await world.eventsOf(fileStream(file))
  expect(added.map(({ event }) => event)).toEqual(events.slice(-2).map(placeOf))
  expect(asked).toEqual([['main/a.warc', digest]])
  expect(told).toEqual([])
})

it('W22 the run that the worker wrote is handed over', async () => {
  const place = { name: 'r-2', bytes: 9, first: 'b', last: 'c' }
  const { added, asked, publish } = await setUp({ run: place })
  await publish()
  expect(added).toMatchObject([{ kind: 'publish', run: { ...place, lines: 1, sha256: digest } }])
  expect(asked).toEqual([])
})

it('lines that are not those of the event are not handed over, and the file is refused', async () => {
  const { added, told, publish } = await setUp({}, () => undefined)
  expect(await publish()).toBe(true)
  expect(added).toEqual([])
  expect(told).toEqual([
    { file: 'main/a.warc', digest, reason: 'its lines are not those that were recorded' },
  ])
})

it('of a file that was withdrawn since nothing is told', async () => {
  const { world, file, added, told, publish } = await setUp({}, () => undefined)
  await world.on(file, { type: 'Withdraw' })
  await publish()
  expect(added).toMatchObject([{ kind: 'withdraw' }])
  expect(told).toEqual([])
})

it('nothing is handed over by who leads no longer', async () => {
  const { added, publish } = await setUp()
  expect(await publish(() => false)).toBe(false)
  expect(added).toEqual([])
})

it('W18 begins where the index is, and not at all where that is of another log', async () => {
  const { begin, done, publish, added } = await setUp()
  expect(await begin({ reached: 0n })).toBe(0n)
  expect(await begin({ reached: 9n })).toBe(9n)
  // Whatever was handled is handed over.
  expect(done()).toBeGreaterThan(10n ** 18n)
  await expect(begin({ reached: 9n, mismatch: 'of another log' })).rejects.toThrow('of another log')
  await expect(publish()).rejects.toThrow('of another log')
  expect(added).toEqual([])
})

it('indexing C19 embargoes are listed in the folder of the index before lines are handed over, and all of them at a start', async () => {
  const { world, file, listed, publish, begin } = await setUp()
  await begin({ reached: 0n })
  expect(listed).toEqual([[undefined, 0]])
  await world.on(file, { type: 'SetEmbargo', until: '2031-12-31', reason: 'a deposit' })
  await publish()
  expect(listed.slice(1)).toEqual([[['main/a.warc'], 0]])
})
