import { expect, it } from 'vitest'
import type { Volume } from '#src/domain/ingest/room.ts'
import { workStates } from '#src/domain/ingest/transitions.ts'
import { batches } from '#src/domain/ingest/views.ts'
import type { WorkArea } from '#src/domain/ingest/work-area.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { roomForIngest } from '#src/workflows/ingest/room.ts'
import { opened } from '../../processors/ingest/opened-batch.ts'

const mebi = 1024 ** 2

const world = async (volume: Volume | undefined) => {
  const { show, write, viewStore } = await opened(5)
  const area = { thresholdPercent: 80, unknownBytes: 30 * mebi, workVolume: async () => volume }
  return { show, write, causes: () => roomForIngest({ viewStore }, area as WorkArea) }
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
  // Nearly all of it goes straight to storage.
  await show([5, { state: 'provisioning', spaceNeeded: 99 * mebi, sizeKnown: 1, workBytes: mebi }])
  expect(await causes()).toMatchObject([{ weight: 2 }])
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

it('X10: what was put off is told, by step, with the reason; what is worked on, or waits for its turn, is not', async () => {
  const { show, causes } = await world({ total: 24 * mebi, used: 0 })
  const noRoom = 'there is no room for 40 MiB; 3 MiB of it arrived and are kept'
  const readOnly = 'storage: the disk is mounted read-only; mount it for writing, then try again'
  const until = '2026-01-01T00:30:00.000Z'
  await show(
    [1, { state: 'downloading', holder: 'w', available: until }],
    [2, { state: 'downloading', available: until, putOffFor: noRoom }],
    [3, { state: 'storing', available: until, putOffFor: readOnly }],
    [4, { state: 'storing', available: until, putOffFor: 'another' }],
    [5, { state: 'storing', available: '' }],
  )
  expect(await causes()).toMatchObject([
    {
      key: 'put-off/ingest/downloading',
      says: `job 2 of ingest is put off in downloading: ${noRoom}`,
      weight: 1,
    },
    {
      key: 'put-off/ingest/storing',
      says: `2 jobs of ingest are put off in storing; the first, job 3: ${readOnly}`,
      weight: 2,
    },
  ])
})

it.each(workStates)('what was put off in %s is told', async (state) => {
  const { show, causes } = await world(undefined)
  await show([1, { state, available: '2026-01-01T00:30:00.000Z', putOffFor: 'the disk is full' }])
  expect(await causes()).toMatchObject([{ says: `job 1 of ingest is put off in ${state}: the disk is full` }])
})

it('a batch that was put off is told, with what it waits for; one that is worked on, or waits for its turn, is not', async () => {
  const { write, causes } = await world(undefined)
  const batch = (number: number, more: Row): Row => ({
    ...Object.fromEntries(Object.keys(batches.columns).map((column) => [column, null])),
    batch: `batch-${number}`,
    number,
    ...more,
  })
  const until = '2026-01-01T00:30:00.000Z'
  const noRoom = 'there is no room for its manifest'
  write(
    batches.name,
    batch(1, { task: 'open', available: '' }),
    batch(2, { task: 'open', available: until, putOffUntil: until, putOffFor: noRoom }),
    batch(3, { task: 'open', available: until, holder: 'w' }),
    batch(4, { task: 'report', available: until, putOffUntil: until, putOffFor: 'the disk is full' }),
    batch(5, { task: 'report', available: until, putOffUntil: until, putOffFor: 'another' }),
  )
  expect(await causes()).toMatchObject([
    {
      key: 'put-off/ingest/batches/open',
      says: `batch 2 of ingest is put off before its payload is read: ${noRoom}`,
    },
    {
      says: '2 batches of ingest are put off before their report; the first, batch 4: the disk is full',
      weight: 2,
    },
  ])
})
