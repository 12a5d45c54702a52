import { expect, it } from 'vitest'
import { roomForIngest } from '#src/app/attention/room-for-ingest.ts'
import type { Volume } from '#src/domain/ingest/room.ts'
import type { House } from '#src/ports/house.ts'
import { opened } from '../../processors/ingest/opened-batch.ts'

const mebi = 1024 ** 2

const world = async (volume: Volume | undefined) => {
  const { show, viewStore } = await opened(5)
  const house = { thresholdPercent: 80, unknownBytes: 30 * mebi, workVolume: async () => volume }
  return { show, causes: () => roomForIngest({ viewStore }, house as House['ingest']) }
}

it('X10, I25: what can never fit is told from the first round, with what it needs and what there is', async () => {
  const { show, causes } = await world({ total: 24 * mebi, used: 24 * mebi })
  await show([1, { state: 'provisioning', spaceNeeded: 19 * mebi, sizeKnown: 1 }])
  // It fits once there is room.
  expect(await causes()).toEqual([])
  await show([2, { state: 'provisioning', spaceNeeded: 40 * mebi, sizeKnown: 1 }])
  expect(await causes()).toMatchObject([
    {
      key: 'never-fits/ingest',
      says: 'job 2 of ingest can never fit: it needs 40 MiB, and the work volume has 24 MiB in all, of which 19.2 MiB (80 %) may be used',
      weight: 1,
    },
  ])
  await show(
    [3, { state: 'provisioning' }],
    [4, { state: 'downloading', spaceNeeded: 99 * mebi, sizeKnown: 1 }],
  )
  expect(await causes()).toMatchObject([
    { says: expect.stringMatching(/^2 jobs of ingest wait for room; the first, job 2, can never fit: /) },
  ])
  await show([2, { state: 'deleted' }])
  expect(await causes()).toMatchObject([
    {
      says: expect.stringContaining(
        'job 3 of ingest can never fit: it needs an unknown size, which counts as 30 MiB (FONDS_INGEST_UNKNOWN_BYTES)',
      ),
    },
  ])
})

it('nothing is said of a volume that this process does not see', async () => {
  const { show, causes } = await world(undefined)
  await show([1, { state: 'provisioning', spaceNeeded: 40 * mebi, sizeKnown: 1 }])
  expect(await causes()).toEqual([])
})

it('X10: what was put off while it came is told, with the reason; what is worked on is not', async () => {
  const { show, causes } = await world({ total: 24 * mebi, used: 0 })
  const why = 'there is no room for 40 MiB; 3 MiB of it came and are kept'
  await show([1, { state: 'downloading' }], [2, { state: 'downloading', putOffFor: why }])
  expect(await causes()).toMatchObject([
    { key: 'no-room/ingest', says: `job 2 of ingest cannot go on with its download: ${why}`, weight: 1 },
  ])
})
