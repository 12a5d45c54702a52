import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machineFailure, NoRoom } from '#src/async/machine-failure.ts'
import { createBlockingRooms, createRooms, volumeOf } from '#src/workers/runtime/room.ts'

const mebi = 1024 ** 2

/** A disk of which 80 % may be used. */
const disk = (total: number, used = 0) => {
  const volume = { total, used }
  let looks = 0
  const rooms = createRooms(80, () => {
    looks++
    return { ...volume }
  })
  return { rooms, volume, looks: () => looks }
}

const failureOf = async (taken: Promise<void> | undefined): Promise<unknown> =>
  taken?.then(
    () => undefined,
    (error: unknown) => error,
  )

it('ingest X10: many that write at once take no disk beyond its threshold, but for a piece each', async () => {
  const { rooms, volume } = disk(100 * mebi, 10 * mebi)
  const write = async () => {
    const take = rooms.writer('/work')
    for (;;) {
      const failure = await failureOf(take(64 * 1024))
      if (failure) return failure
      volume.used += 64 * 1024
    }
  }
  const failures = await Promise.all(Array.from({ length: 16 }, write))
  for (const failure of failures) expect(failure).toBeInstanceOf(NoRoom)
  expect(volume.used).toBeLessThanOrEqual(80 * mebi + 16 * 64 * 1024)
  expect(volume.used).toBeGreaterThan(78 * mebi)
})

it('is looked at now and then, where much is left', async () => {
  const { rooms, volume, looks } = disk(1024 ** 4)
  const take = rooms.writer('/work')
  for (let i = 0; i < 16 * 1024; i++) {
    await take(64 * 1024)
    volume.used += 64 * 1024
  }
  expect(looks()).toBe(128)
})

it('says what is missing, before anything of it is written; it is the machine that has no room', async () => {
  const { rooms } = disk(100 * mebi, 60 * mebi)
  const failure = await failureOf(rooms.writer('/work')(1024, 30 * mebi))
  expect(failure).toMatchObject({
    missing: 10 * mebi,
    message:
      'there is no room for 30 MiB: of the 100 MiB of the disk at /work 60 MiB are used, and 80 % may be; make room, or raise FONDS_INGEST_THRESHOLD_PERCENT',
  })
  expect(machineFailure(new Error('it was not done', { cause: failure }))).toBe(failure)
  expect(await failureOf(rooms.writer('/work')(1024, 90 * mebi))).toMatchObject({
    message: expect.stringContaining('it can never fit there: use a larger disk'),
  })
  expect(await failureOf(rooms.writer('/work')(1024, 20 * mebi))).toBeUndefined()
})

it('goes on as soon as there is room', async () => {
  const { rooms, volume } = disk(100 * mebi, 80 * mebi)
  const take = rooms.writer('/work')
  expect(await failureOf(take(1024))).toBeInstanceOf(NoRoom)
  volume.used = 0
  expect(await failureOf(take(1024))).toBeUndefined()
  expect(await rooms.at('/work')).toEqual({ most: 80 * mebi, left: 80 * mebi })
})

it('is that of the disk on which a folder will be made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-room-'))
  const [there, later] = [await volumeOf(folder), await volumeOf(join(folder, 'a', 'b'))]
  expect(later.total).toBe(there.total)
  expect(there.total).toBeGreaterThan(there.used)
  expect((await createBlockingRooms(100).at(join(folder, 'a'))).most).toBe(there.total)
})
