import { expect, it, onTestFinished } from 'vitest'
import { batches, jobs, views } from '#src/domain/ingest/views.ts'
import type { WorkArea } from '#src/domain/ingest/work-area.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { stillSites } from '#src/projections/ingest/questions/site-rules.ts'
import { roomForIngest } from '#src/workflows/ingest/room.ts'
import { openTestViews } from '../../fakes/views.ts'

/** Views as an earlier program folded them: no column says why a batch was put off, and sites have no rows. */
const viewsOfBefore = () => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const { putOffFor: _, ...columns } = batches.columns
  const shapes = views
    .filter(({ name }) => name !== 'ingest-sites')
    .map((shape) => (shape.name === batches.name ? { ...shape, columns } : shape))
  const generation = viewStore.create('ingest', 8, shapes)
  viewStore.promote(generation)
  return {
    viewStore,
    write: (view: string, row: Row) =>
      viewStore.fold(generation, -1n, { position: 0n, time: '2026-01-01T00:00:00.000Z' }, (tables) =>
        tables[view]!.put(row),
      ),
  }
}

const empty = (columns: object): Row =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, null]))

it('what they cannot say is not said, and keeps nobody from asking the rest', async () => {
  const { viewStore, write } = viewsOfBefore()
  const until = '2026-01-01T00:30:00.000Z'
  const { putOffFor: _, ...batch } = empty(batches.columns)
  write(batches.name, { ...batch, batch: 'b', task: 'open', available: until, putOffUntil: until })
  const area = { workVolume: async () => undefined } as unknown as WorkArea
  expect(await roomForIngest({ viewStore }, area)).toEqual([])
})

it('nothing is said of sites, whose jobs wait', () => {
  const { viewStore, write } = viewsOfBefore()
  write(jobs.name, {
    ...empty(jobs.columns),
    job: 1,
    state: 'downloading',
    site: 'node-1/aa',
    batchNumber: 1,
  })
  expect(stillSites(viewStore, '2999-01-01T00:00:00.000Z')).toEqual([])
})
