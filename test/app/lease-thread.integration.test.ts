import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { keepApart } from '#src/app/lease-thread/keep-apart.ts'
import type { System } from '#src/app/system.ts'
import { systemClock } from '#src/async/system-clock.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { SECOND } from '#src/domain/kernel/time.ts'
import { patience } from '../patience.ts'
import { started, testSystem } from './archive.ts'

/* The lease on the reactions while the thread that does the work is too busy for anything else. */

const eventsOf = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.read('duty-reactions', 'start', 'forward', 100)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right
}
const typesOf = async (system: System) => (await eventsOf(system)).map(({ type }) => type)
const extensions = async (system: System) =>
  (await typesOf(system)).filter((type) => type === 'DutyExtended').length
/** Until the lease was extended once more: whatever keeps it is at work. */
const extendedAgain = async (system: System): Promise<void> => {
  const before = await extensions(system)
  await vi.waitUntil(async () => (await extensions(system)) > before, patience)
}
const block = (millis: number): void => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

describe('the working thread blocked', () => {
  it('for less than the lease’s time: the lease is extended meanwhile, and kept', async () => {
    const system = await testSystem({ dutySeconds: 6 })
    await started(system, ['reactions'])
    // Time for the thread to start, too.
    for (let i = 0; i < 2; i++) await extendedAgain(system)
    const before = await extensions(system)
    block(5.7 * SECOND)
    expect(await extensions(system)).toBeGreaterThan(before)
    await extendedAgain(system)
    expect((await typesOf(system)).filter((type) => type !== 'DutyExtended')).toEqual(['DutyTaken'])
  })

  it('for longer: it is extended no more, so that others may have it, and is lost', async () => {
    const seconds = 2
    const system = await testSystem({ dutySeconds: seconds })
    await started(system, ['reactions'])
    await extendedAgain(system)
    const blocked = Date.now()
    block(3 * seconds * SECOND)
    await vi.waitUntil(
      async () => (await typesOf(system)).filter((type) => type === 'DutyTaken').length === 2,
      patience,
    )
    const events = await eventsOf(system)
    const again = events.findLastIndex(({ type }) => type === 'DutyTaken')
    const extended = events.slice(0, again).findLast(({ type }) => type === 'DutyExtended')
    const { deadline } = extended!.data as { deadline: string }
    const asked = Date.parse(deadline) - seconds * SECOND
    expect(asked - blocked).toBeLessThan(1.5 * seconds * SECOND)
  })
})

it.each([
  ['before it is at it', './no-such-module.ts'],
  ['later', './breaking-event-store.ts'],
])('a thread that breaks %s leaves the lease to the one that does the work', async (_, module) => {
  const warned: string[] = []
  const system = await testSystem({ dutySeconds: 3 })
  const log = pino({}, { write: (line: string) => void warned.push(JSON.parse(line).msg) })
  const eventStoreModule = new URL(module, import.meta.url)
  const apart = keepApart({ ...system, log, clock: systemClock, eventStoreModule })
  await started({ ...system, keepApart: apart }, ['reactions'])
  await vi.waitUntil(
    () => warned.some((line) => line.includes('extending the lease in the main thread')),
    patience,
  )
  for (let i = 0; i < 4; i++) await extendedAgain(system)
  expect((await typesOf(system)).filter((type) => type !== 'DutyExtended')).toEqual(['DutyTaken'])
})
