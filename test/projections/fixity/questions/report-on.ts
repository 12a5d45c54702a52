import { onTestFinished } from 'vitest'
import { views } from '#src/domain/fixity/views.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { openTestViews } from '../../../fakes/views.ts'

export const at = '2026-06-01T00:00:00.000Z'
export const before = '2026-05-31T23:59:59.999Z'
export const after = '2026-06-01T00:00:00.001Z'

export interface Given {
  readonly items?: readonly Partial<Row>[]
  readonly stores?: readonly string[]
  readonly resolutions?: readonly Partial<Row>[]
}

/** The report on these rows. */
export const reportOn = (given: Given, scope: Parameters<typeof fixityReport>[2] = {}) => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('fixity', 1, views)
  viewStore.promote(generation)
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    for (const one of given.items ?? []) {
      const path = one.path as string
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
      tables['fixity-items']?.put({
        store: 'main',
        folder,
        state: 'verified',
        removed: 0,
        parked: 0,
        size: 1,
        ...one,
      })
    }
    for (const store of given.stores ?? [])
      tables['fixity-stores']?.put({
        store,
        kind: 'folder',
        root: `/srv/${store}`,
        words: {},
        awaySeconds: 1,
      })
    for (const one of given.resolutions ?? [])
      tables['fixity-resolutions']?.put({ store: 'main', path: 'a', status: 'open', openedAt: at, ...one })
  })
  return fixityReport(viewStore, at, scope)
}
