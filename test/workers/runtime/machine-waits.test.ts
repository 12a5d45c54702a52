import { expect, it } from 'vitest'
import { diskReason } from '#src/async/disk-reasons.ts'
import { MachineFailure, NoRoom } from '#src/async/machine-failure.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#src/domain/kernel/time.ts'
import { createMachineWaits } from '#src/workers/runtime/machine-waits.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { useFaultyFs } from '../../fakes/faulty-fs.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

const mebi = 1024 ** 2

const world = () => {
  const clock = fakeClock()
  const machine = { opensFiles: true, isWritable: true, freeBytes: 10 * mebi, freeFiles: 1000 }
  const look = async () => ({ opensFiles: machine.opensFiles, folders: [{ ...machine }] })
  const waits = createMachineWaits({ clock, folders: ['/work'], look })
  /** In how many hours of so many days it would have been claimed. */
  const hoursTried = async (days: number) => {
    let tried = 0
    for (let hour = 0; hour < days * 24; hour++) {
      await clock.advance(HOUR)
      if (!(await waits.lasts('job/1'))) tried++
    }
    return tried
  }
  return { clock, machine, waits, hoursTried }
}

const full = new MachineFailure(
  diskReason(Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'write' })) ?? '',
)

it.each([
  ['no room below the threshold', new NoRoom('there is no room', 5 * mebi)],
  ['a full disk', full],
])('%s is waited for as long as nothing becomes free, and no longer', async (_, failure) => {
  const { machine, waits, clock, hoursTried } = world()
  expect(await waits.begin('job/1', failure)).toBe(10 * SECOND)
  expect(await hoursTried(10)).toBe(0)
  machine.freeBytes += failure instanceof NoRoom ? 5 * mebi - 1 : mebi - 1
  expect(await waits.lasts('job/1')).toBe(true)
  machine.freeBytes += 1
  expect(await waits.lasts('job/1')).toBe(false)
  expect(await waits.lasts('job/2')).toBe(false)
  // It fails again all the same: then more must become free, and it is tried less often.
  expect(await waits.begin('job/1', failure)).toBe(20 * SECOND)
  expect(await hoursTried(1)).toBe(0)
  machine.freeBytes += 5 * mebi
  expect(await waits.lasts('job/1')).toBe(false)
  waits.over('job/1')
  expect(waits.count()).toBe(0)
  await clock.advance(0)
})

it('a folder that may not be written to, and files that cannot be opened, are looked at', async () => {
  const denied = new MachineFailure('it may not be written to')
  const { machine, waits, clock } = world()
  machine.isWritable = false
  await waits.begin('job/1', denied)
  await clock.advance(MINUTE)
  expect(await waits.lasts('job/1')).toBe(true)
  machine.isWritable = true
  expect(await waits.lasts('job/1')).toBe(false)

  machine.opensFiles = false
  await waits.begin('job/2', denied)
  await clock.advance(MINUTE)
  expect(await waits.lasts('job/2')).toBe(true)
  machine.opensFiles = true
  expect(await waits.lasts('job/2')).toBe(false)
})

it('what cannot be looked at is tried again after half an hour, then ever more rarely', async () => {
  const { waits, clock } = world()
  const unseen = new MachineFailure('the disk cannot read or write')
  let tried = 0
  await waits.begin('job/1', unseen)
  for (let minutes = 0; minutes < 10 * 24 * 60; minutes += 10) {
    await clock.advance(10 * MINUTE)
    if (await waits.lasts('job/1')) continue
    tried++
    await waits.begin('job/1', unseen)
  }
  expect(tried).toBeGreaterThan(8)
  expect(tried).toBeLessThan(20)
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
  expect(await waits.lasts('job/1')).toBe(false)
})
