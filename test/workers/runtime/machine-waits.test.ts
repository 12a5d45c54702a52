import { expect, it } from 'vitest'
import { diskReason } from '#src/async/disk-reasons.ts'
import { MachineFailure, NoRoom } from '#src/async/machine-failure.ts'
import { DAY, MINUTE, SECOND } from '#src/domain/kernel/time.ts'
import { createMachineWaits } from '#src/workers/runtime/machine-waits.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { useFaultyFs } from '../../fakes/faulty-fs.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

const mebi = 1024 ** 2

const world = () => {
  const clock = fakeClock()
  const machine = { opensFiles: true, isWritable: true, freeBytes: 10 * mebi, freeFiles: 1000 }
  let looks = 0
  const look = async () => {
    looks++
    return { opensFiles: machine.opensFiles, folders: [{ ...machine }] }
  }
  const waits = createMachineWaits({ clock, folders: ['/work'], probe: look })
  /** The next poll, which looks at the machine anew. */
  const lasts = async (work: string) => {
    await clock.advance(SECOND)
    return waits.lasts(work)
  }
  return { clock, machine, waits, lasts, looks: () => looks }
}

const full = new MachineFailure(
  diskReason(Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'write' })) ?? '',
)

const noRoom = new NoRoom('there is no room', 5 * mebi)

it.each([
  ['no room below the threshold', noRoom, 5 * mebi],
  ['a full disk', full, mebi],
])('%s is waited for until so much is free as was missing', async (_, failure, missing) => {
  const { machine, waits, clock, lasts } = world()
  expect(await waits.begin('job/1', failure)).toBe(10 * SECOND)
  await clock.advance(29 * MINUTE)
  machine.freeBytes += missing - 1
  expect(await lasts('job/1')).toBe(true)
  machine.freeBytes += 1
  expect(await lasts('job/1')).toBe(false)
  expect(await lasts('job/2')).toBe(false)
  // It fails again all the same: then more must become free, and it is tried less often.
  expect(await waits.begin('job/1', failure)).toBe(20 * SECOND)
  await clock.advance(59 * MINUTE)
  expect(await lasts('job/1')).toBe(true)
  machine.freeBytes += missing
  expect(await lasts('job/1')).toBe(false)
  waits.over('job/1')
  expect(waits.count()).toBe(0)
})

it('a folder that may not be written to, and files that cannot be opened, are looked at', async () => {
  const denied = new MachineFailure('it may not be written to')
  const { machine, waits, clock, lasts } = world()
  machine.isWritable = false
  await waits.begin('job/1', denied)
  await clock.advance(MINUTE)
  expect(await waits.lasts('job/1')).toBe(true)
  machine.isWritable = true
  expect(await lasts('job/1')).toBe(false)

  machine.opensFiles = false
  await waits.begin('job/2', denied)
  await clock.advance(MINUTE)
  expect(await waits.lasts('job/2')).toBe(true)
  machine.opensFiles = true
  expect(await lasts('job/2')).toBe(false)
})

it.each([
  ['what cannot be looked at', new MachineFailure('the disk cannot read or write')],
  ['no room, where others freed some before it was looked at', noRoom],
  ['a full disk, where bytes are free', full],
])('%s is tried again after half an hour, then ever more rarely, up to once a day', async (_, failure) => {
  const { waits, clock } = world()
  await waits.begin('job/1', failure)
  const tried: number[] = []
  for (let minutes = 10; minutes < 10 * 24 * 60; minutes += 10) {
    await clock.advance(10 * MINUTE)
    if (await waits.lasts('job/1')) continue
    tried.push(minutes / 60)
    await waits.begin('job/1', failure)
  }
  expect(tried).toEqual([
    0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 55.5, 79.5, 103.5, 127.5, 151.5, 175.5, 199.5, 223.5,
  ])
})

it('the machine is looked at once for all that wait', async () => {
  const { waits, clock, machine, looks, lasts } = world()
  const works = Array.from({ length: 1000 }, (_, i) => `job/${i}`)
  for (const work of works) await waits.begin(work, noRoom)
  await clock.advance(MINUTE)
  const before = looks()
  for (const work of works) expect(await waits.lasts(work)).toBe(true)
  expect(looks() - before).toBe(1)
  machine.freeBytes += 5 * mebi
  expect(await lasts('job/1')).toBe(false)
})

it('what nobody asks for any more is forgotten', async () => {
  const { waits, clock } = world()
  await waits.begin('job/1', full)
  expect(waits.count()).toBe(1)
  await clock.advance(DAY)
  expect(waits.count()).toBe(0)
})

it('the disk itself is looked at', async () => {
  const [folder, clock, disk] = [temporaryFolder(), fakeClock(), useFaultyFs()]
  const waits = createMachineWaits({ clock, folders: [folder] })
  const denied = disk.set({ path: folder, calls: ['stat'], code: 'EROFS' })
  await waits.begin('job/1', new MachineFailure('the disk is mounted read-only'))
  await clock.advance(MINUTE)
  expect(await waits.lasts('job/1')).toBe(true)
  expect(denied.hits()).toBeGreaterThan(1)
  denied.clear()
  await clock.advance(SECOND)
  expect(await waits.lasts('job/1')).toBe(false)
})
