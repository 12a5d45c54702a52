import { expect, it, onTestFinished } from 'vitest'
import { promisedBytes } from '#src/domain/ingest/room.ts'
import { jobs } from '#src/domain/ingest/views.ts'
import type { ViewShape } from '#src/domain/kernel/view.ts'
import { neverFitting } from '#src/projections/ingest/questions/room-rules.ts'
import { openTestViews } from '../../fakes/views.ts'

/* Views of version 10, which had no column `workBytes`, answer until they are rebuilt: there all bytes need room. */

const shape: ViewShape = {
  ...jobs,
  columns: Object.fromEntries(Object.entries(jobs.columns).filter(([name]) => name !== 'workBytes')),
  indexes: jobs.indexes.map((columns) => columns.filter((name) => name !== 'workBytes')),
}

const terms = { thresholdPercent: 80, unknownBytes: 5000 }

it('room is promised for all bytes, and what can never fit is found', () => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('ingest', 10, [shape])
  viewStore.promote(generation)
  const rows = [
    { job: 1, state: 'downloading', spaceNeeded: 700, sizeKnown: 1 },
    { job: 2, state: 'downloading', spaceNeeded: 0, sizeKnown: 0 },
    { job: 3, state: 'provisioning', spaceNeeded: 9000, sizeKnown: 1 },
  ]
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    for (const row of rows) tables['ingest-jobs']?.put({ ...row, order: `05-${row.job}`, workSite: '' })
  })
  expect(promisedBytes(viewStore, terms)).toBe(5700)
  const room = { volume: { total: 10_000, used: 0 }, terms }
  expect(neverFitting(viewStore, room, 5)).toMatchObject({ count: 1, first: [{ job: 3 }] })
})
