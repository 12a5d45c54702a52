import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStreamSeals } from '#src/app/proof/streams/daily-stream-seals.ts'
import { DAY, MINUTE } from '#src/domain/kernel/time.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { proofLogIn } from './tree-of-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-streams-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const root = Buffer.alloc(32).toString('base64')

const daily = () => {
  const eventStore = fakeEventStore()
  let millis = 0
  const begun = Date.parse('2026-11-30T12:00:00.000Z')
  const streams = [
    ['item-a', 800],
    ['item-é', 7],
  ] as const
  let place = { origin: '', size: 0n, position: 0n }
  const files = {
    ...proofLogIn(folder),
    head: async () => ({ text: `${place.origin}\n${place.size}\n${root}\n\n— a ${root}\n`, at: '' }),
    committedHeads: () => ({ place, all: () => streams, close: () => {} }),
  }
  const system = {
    eventStore,
    proofLog: async () => files,
    clock: { now: () => new Date(begun + millis).toISOString() },
    execute: async (
      _: unknown,
      to: { readonly stream: string; readonly command: { readonly data: unknown } },
    ) => {
      const written = await eventStore.append(to.stream, 'any', [event('StreamsSealed', to.command.data)])()
      if (isLeft(written)) throw new Error('not written')
      return right(undefined)
    },
  }
  const seals = createStreamSeals(system as never)
  return {
    /** After so many minutes, with a tree of that size. */
    at: async (minutes: number, size: bigint, origin = 'a.example/log') => {
      millis += minutes * MINUTE
      place = { origin, size, position: size }
      await seals.state(signal)
      const read = await eventStore.read('proof-streams', 'start', 'forward', 100)()
      return isLeft(read) ? [] : read.right.map(({ data }) => (data as { size: string }).size)
    },
  }
}

const day = DAY / MINUTE

test('Q31: the newest leaves of streams are stated daily, once 4,096 leaves came', async () => {
  const { at } = daily()
  expect(await at(0, 4095n)).toEqual([])
  expect(await at(0, 4096n)).toEqual(['4096'])
  expect(await at(10, 90_000n)).toEqual(['4096'])
  expect(await at(day, 8191n)).toEqual(['4096'])
  expect(await at(10, 8192n)).toEqual(['4096', '8192'])
  expect(await at(10, 9000n, 'b.example/log')).toEqual(['4096', '8192', '9000'])
})

test('the rows of the last two statements are kept, in the form that exports read', async () => {
  const { at } = daily()
  for (const size of [5000n, 10_000n, 100_000n]) await at(day, size)
  expect(readdirSync(join(folder, 'proof-streams')).sort()).toEqual(['10000', '100000'])
  expect(readFileSync(join(folder, 'proof-streams', '100000'), 'utf8')).toBe('"item-a" 800\n"item-é" 7\n')
})

test('two keep rows at once, also of one size; what a process left that died goes', async () => {
  const { keepStreamRows } = proofLogIn(folder)
  async function* rows(): AsyncGenerator<string> {
    for (let row = 0; row < 50; row++) yield `"item-${row}" ${row}\n`
  }
  await keepStreamRows(9n, rows())
  const names = ['8.a.new', '8.b.new'].map((name) => join(folder, 'proof-streams', name))
  for (const name of names) writeFileSync(name, '')
  utimesSync(names[0]!, 0, 0)
  await Promise.all([keepStreamRows(12n, rows()), keepStreamRows(12n, rows()), keepStreamRows(11n, rows())])
  const kept = readdirSync(join(folder, 'proof-streams')).sort()
  expect(kept).toEqual(['11', '12', '8.b.new'])
  for (const size of ['11', '12'])
    expect(readFileSync(join(folder, 'proof-streams', size), 'utf8').split('\n')).toHaveLength(51)
})
