import { onTestFinished } from 'vitest'
import type { ViewStoreOptions } from '#infra/views/sqlite/view-store.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import type { Generation, ViewStore } from '#src/ports/view-store.ts'
import { foldBatch } from '#src/projections/runtime/fold.ts'
import type { Projection } from '#src/projections/runtime/projection.ts'
import { viewCheckpoint } from '../../src/async/checkpoint.ts'
import { openTestViews } from '../fakes/views.ts'

export interface Folded<Log> {
  readonly log: Log
  /** With everything folded that is in the log. */
  readonly views: ViewStore
  rows(view: string, where?: Row): readonly Row[]
  row(view: string, where?: Row): Row | undefined
}

/** A projection folded by hand, from events that a test writes down. */
export const folding = (projection: Projection) => {
  /** Folds events from where the generation stands on, so many in one transaction. */
  const foldAll = (
    viewStore: ViewStore,
    generation: Generation,
    events: readonly RecordedEvent[],
    batch = Number.POSITIVE_INFINITY,
  ): void => {
    const rest = events.filter(({ position }) => position > viewStore.checkpoint(generation).position)
    for (let i = 0; i < rest.length; i += batch) {
      const some = rest.slice(i, i + batch)
      const position = some.at(-1)!.position
      foldBatch(viewCheckpoint(viewStore, generation), projection, viewStore.checkpoint(generation), {
        events: some,
        position,
      })
    }
  }

  const open = (options: ViewStoreOptions = {}): { viewStore: ViewStore; generation: Generation } => {
    const viewStore = openTestViews(':memory:', options)
    onTestFinished(() => viewStore.close())
    const generation = viewStore.create(projection.name, projection.version, projection.views)
    viewStore.promote(generation)
    return { viewStore, generation }
  }

  /** A log and its views, which always are up to date. */
  const folded = <Log extends { readonly events: readonly RecordedEvent[] }>(log: Log): Folded<Log> => {
    const { viewStore, generation } = open()
    const rows: Folded<Log>['rows'] = (view, where = {}) => {
      foldAll(viewStore, generation, log.events)
      return viewStore
        .query(view, {})
        .filter((row) => Object.entries(where).every(([column, value]) => row[column] === value))
    }
    return {
      log,
      get views() {
        foldAll(viewStore, generation, log.events)
        return viewStore
      },
      rows,
      row: (view, where) => rows(view, where)[0],
    }
  }

  return { foldAll, open, folded }
}
