import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { LockMark } from '#src/domain/kernel/leader-lease.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { leaderLeaseOf } from '#src/processors/runtime/leader-lease-of.ts'
import { lockByLog, storageLease } from '#src/processors/runtime/lock-by-log.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { manualClock } from '../../fakes/manual-clock.ts'

const root = 's3://bucket/storage'
const place = 'storage/a/b/c/object/'
const minute = 60_000

const useLog = () => {
  const clock = manualClock()
  const eventStore = fakeEventStore({ now: clock.now })
  const ended = new Set<string>()
  /** A process on the log; `file`: of its lock. */
  const process = (file?: string) => {
    const states = streamStates(eventStore)
    const mark: LockMark | undefined =
      file === undefined ? undefined : { file, device: '1', inode: '1', bootId: 'boot' }
    const processLock = { mark: () => mark, hasEnded: (lock: LockMark) => ended.has(lock.file) }
    const log = pino({ level: 'silent' })
    return lockByLog(root, { execute: executor(eventStore, states), states, processLock, clock, log })
  }
  return { clock, eventStore, ended, process }
}

it('one writer of a place works at a time, those of others beside it', async () => {
  const { clock, process } = useLog()
  const [one, other] = [process(), process()]
  const done: string[] = []
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const first = one.run(place, true, () => {
    begun.resolve()
    return ending.promise
  })
  await begun.promise
  await expect(other.run(place, false, async () => 'overwrites')).rejects.toThrow('another process writes')
  const waiting = other.run(place, true, async () => void done.push('second'))
  await other.run('storage/of/another/', true, async () => void done.push('beside'))
  expect(done).toEqual(['beside'])
  ending.resolve()
  await first
  await clock.advance(minute)
  await waiting
  expect(done).toEqual(['beside', 'second'])
})

it('two writes of one process exclude each other, too', async () => {
  const lock = useLog().process()
  await lock.run(place, true, async () => {
    await expect(lock.run(place, false, async () => {})).rejects.toThrow('another process writes')
  })
  await lock.run(place, false, async () => {})
})

it('a holder that could not extend its lease sends nothing more, long before another may take it', async () => {
  const { clock, process } = useLog()
  await process().run(place, true, async (failIfLost) => {
    failIfLost()
    clock.advance(13 * minute)
    expect(failIfLost).toThrow('the lock')
    await expect(process().run(place, false, async () => {})).rejects.toThrow('another process writes')
  })
})

it('the lease of a process that has ended for certain is taken at once', async () => {
  const { process, ended } = useLog()
  const begun = Promise.withResolvers<void>()
  void process('dead').run(place, true, () => {
    begun.resolve()
    return new Promise(() => {})
  })
  await begun.promise
  const mine = () => process('me').run(place, false, async () => 'mine')
  await expect(mine()).rejects.toThrow('another process writes')
  ended.add('dead')
  expect(await mine()).toBe('mine')
})

it('the log says that the root is guarded by it', async () => {
  const { eventStore, process } = useLog()
  expect((await leaderLeaseOf({ eventStore }, storageLease(root))).lastFence).toBe(0)
  await process().run(place, true, async () => {})
  expect(await leaderLeaseOf({ eventStore }, storageLease(root))).toMatchObject({
    lastFence: 1,
    lease: undefined,
  })
})
