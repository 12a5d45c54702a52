import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoRoom } from '../../../src/async/machine-failure.ts'
import { MINUTE, SECOND } from '../../../src/domain/kernel/time.ts'
import { createMachineWaits } from '../../../src/workers/runtime/machine-waits.ts'
import { turns } from '../../fakes/clock.ts'
import { useFaultyFs } from '../../fakes/faulty-fs.ts'
import type { FakeTask } from '../../fakes/task-queue.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'
import { poolWorld } from './pool-world.ts'

let world = poolWorld()
beforeEach(() => {
  world = poolWorld()
})
afterEach(async () => void (await world.end()))

/** Work that writes a file to a folder of our own. */
const writing = (folder: string) => async (task: FakeTask) => {
  writeFileSync(join(folder, task.id), task.id)
  world.tasks.complete(task)
}

const settle = async () => {
  // The folder is tried on the real disk, beside the clock.
  for (let i = 0; i < 50; i++) {
    await new Promise(setImmediate)
    await turns()
  }
}

/** The clock goes on; the disk takes as long as it takes. */
const minutesUntil = (holds: () => void) =>
  vi.waitFor(async () => {
    await world.clock.advance(MINUTE)
    await settle()
    holds()
  })

describe('a disk that refuses', () => {
  it('uses up no attempt, and is not asked again and again: work goes on by itself once it takes something', async () => {
    const folder = temporaryFolder()
    const fault = useFaultyFs().set({ path: folder, calls: ['write'] })
    for (const id of ['a', 'b', 'c', 'd']) world.tasks.add('only', id)
    world.start([world.tasks.queue('only')], writing(folder), { concurrency: 2, folders: [folder] })
    await settle()
    expect(world.tasks.log).toHaveLength(2)
    expect(world.tasks.log.every((said) => said.startsWith('defer'))).toBe(true)
    expect(world.tasks.log[0]).toContain('the disk is full')

    await minutesUntil(() => expect(fault.hits()).toBeGreaterThan(10))
    expect(world.tasks.log).toHaveLength(2)

    fault.clear()
    await minutesUntil(() =>
      expect(world.tasks.log.filter((said) => said.startsWith('done')).sort()).toEqual([
        'done a',
        'done b',
        'done c',
        'done d',
      ]),
    )
  })

  it('opens no more files: nothing is claimed before it does, of work that writes nothing, too', async () => {
    const fault = useFaultyFs().set({ path: '/dev/null', calls: ['open'], code: 'EMFILE' })
    for (const id of ['a', 'b']) world.tasks.add('only', id)
    const perform = async (task: FakeTask) => {
      if (fault.hits() < 10) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      world.tasks.complete(task)
    }
    world.start([world.tasks.queue('only')], perform, { concurrency: 1 })
    await settle()
    const first = ['defer (too many open files) a']
    expect(world.tasks.log).toEqual(first)
    await minutesUntil(() => expect(fault.hits()).toBeGreaterThanOrEqual(10))
    expect(world.tasks.log).toEqual(first)
    fault.clear()
    await minutesUntil(() => expect(world.tasks.log).toHaveLength(3))
  })

  it('has no room for one task: it waits without a word until there is, and others go on at once', async () => {
    const disk = { isWritable: true, freeBytes: 0, freeFiles: 1000 }
    const look = async () => ({ opensFiles: true, folders: [{ ...disk }] })
    const waits = createMachineWaits({ clock: world.clock, folders: ['/work'], probe: look })
    for (const id of ['a', 'b', 'c']) world.tasks.add('only', id)
    const perform = async (task: FakeTask) => {
      if (task.id === 'a' && disk.freeBytes < 100) throw new NoRoom('there is no room', 100)
      world.tasks.complete(task)
    }
    const queue = world.tasks.queue('only', 'worker', waits)
    world.start([queue], perform, { concurrency: 1, waits, workOf: ({ id }) => id })
    await settle()
    const first = ['defer (there is no room) a', 'done b', 'done c']
    expect(world.tasks.log).toEqual(first)
    await world.clock.advance(29 * MINUTE)
    expect(world.tasks.log).toEqual(first)
    disk.freeBytes = 100
    await world.clock.advance(MINUTE)
    await settle()
    expect(world.tasks.log).toEqual([...first, 'done a'])
  })

  it('of the item itself is the item’s failure', async () => {
    const folder = temporaryFolder()
    world.tasks.add('only', 'a')
    const fails = async () => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
    }
    world.start([world.tasks.queue('only')], fails, { folders: [folder] })
    await settle()
    expect(world.tasks.log).toEqual(['fail (EIO: i/o error, read) a'])
  })

  it('work that goes on beside one that it refuses is slowed down, and not stopped', async () => {
    for (const id of ['a', 'b', 'c']) world.tasks.add('only', id)
    const perform = async (task: FakeTask) => {
      if (task.id === 'a') throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      world.tasks.complete(task)
    }
    world.start([world.tasks.queue('only')], perform, { concurrency: 2 })
    await settle()
    await vi.waitFor(async () => {
      await world.clock.advance(10 * SECOND)
      await settle()
      expect(world.tasks.log.toSorted()).toEqual(['defer (full) a', 'done b', 'done c'])
    })
  })
})
