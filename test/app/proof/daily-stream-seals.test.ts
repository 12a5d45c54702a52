import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sealing } from '#src/app/proof/sealing.ts'
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

const daily = () => {
  const eventStore = fakeEventStore()
  let millis = 0
  const begun = Date.parse('2026-11-30T12:00:00.000Z')
  const warned: unknown[] = []
  const system = {
    eventStore,
    proofLog: async () => proofLogIn(folder),
    clock: { now: () => new Date(begun + millis).toISOString(), monotonic: () => millis },
    log: { warn: (one: unknown) => warned.push(one) },
    execute: async (
      _: unknown,
      to: { readonly stream: string; readonly command: Record<string, unknown> },
    ) => {
      const { type: _type, actor: _actor, ...data } = to.command
      const written = await eventStore.append(to.stream, 'any', [event('StreamsSealed', data)])()
      if (isLeft(written)) throw new Error('not written')
      return right(undefined)
    },
  }
  const seals = createStreamSeals(system as never)
  const streams = [
    ['item-a', 800],
    ['item-é', 7],
  ] as const
  return {
    warned,
    /** After so many minutes, with a tree of that size. */
    at: async (minutes: number, size: bigint, { origin = 'a.example/log', published = size } = {}) => {
      millis += minutes * MINUTE
      const sealing = { size, published: { size: published }, streams: () => streams }
      await seals.ifDue(signal, origin, sealing as never as Sealing)
      const read = await eventStore.read('proof-streams', 'start', 'forward', 100)()
      return isLeft(read) ? [] : read.right.map(({ data }) => (data as { size: string }).size)
    },
  }
}

const day = DAY / MINUTE

test('Q31: the newest leaves of streams are stated daily, ten minutes after the beginning, once 4,096 leaves came', async () => {
  const { at, warned } = daily()
  expect(await at(9, 5000n)).toEqual([])
  expect(await at(1, 4095n)).toEqual([])
  expect(await at(10, 4096n, { published: 4000n })).toEqual([])
  expect(await at(0, 4096n)).toEqual(['4096'])
  expect(await at(10, 90_000n)).toEqual(['4096'])
  expect(await at(day, 8191n)).toEqual(['4096'])
  expect(await at(10, 8192n)).toEqual(['4096', '8192'])
  expect(await at(10, 9000n, { origin: 'b.example/log' })).toEqual(['4096', '8192', '9000'])
  expect(warned).toEqual([])
})

test('the rows of the last two statements are kept, in the form that exports read', async () => {
  const { at } = daily()
  for (const size of [5000n, 10_000n, 100_000n]) await at(day, size)
  expect(readdirSync(join(folder, 'proof-streams')).sort()).toEqual(['10000', '100000'])
  expect(readFileSync(join(folder, 'proof-streams', '100000'), 'utf8')).toBe('"item-a" 800\n"item-é" 7\n')
})
