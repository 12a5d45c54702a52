import { onTestFinished } from 'vitest'
import { type BatchEvent, batchStream } from '#src/domain/fixity/batch/events.ts'
import { type ComparisonEvent, comparisonStream } from '#src/domain/fixity/comparison/events.ts'
import { type FixityEvent, events as itemEvents } from '#src/domain/fixity/events.ts'
import { type Item, itemStream } from '#src/domain/fixity/item.ts'
import { type ReportEvent, reportEvents, reportStream } from '#src/domain/fixity/reports/events.ts'
import { type RequestEvent, requestStream } from '#src/domain/fixity/requests/events.ts'
import { type StoreEvent, storeStream } from '#src/domain/fixity/store/events.ts'
import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { foldBatch } from '#src/projections/runtime/fold.ts'
import { viewCheckpoint } from '../../../src/async/checkpoint.ts'
import { item, start } from '../../domain/fixity/commands.ts'
import { openTestViews } from '../../fakes/views.ts'

export interface FixityViews {
  readonly viewStore: ViewStore
  /** From now on events are recorded at this time. */
  recordAt(time: string): void
  /** Folds events of an item; all of one call in one transaction. */
  fold(events: readonly FixityEvent[], of?: Item, actor?: string): void
  foldStore(events: readonly StoreEvent[], store?: string): void
  foldBatch(events: readonly BatchEvent[], batch?: string): void
  foldRequest(events: readonly RequestEvent[], request?: string): void
  foldComparison(events: readonly ComparisonEvent[], store?: string): void
  foldReports(events: readonly ReportEvent[]): void
  /** The row of an item. */
  row(of?: Item): Row | undefined
  rows(view: string): readonly Row[]
}

/** The views of fixity in memory, folded from whatever events a test wants. */
export const fixityViews = (): FixityViews => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create(fixity.name, fixity.version, fixity.views)
  viewStore.promote(generation)
  let recordedAt = start
  const revisions = new Map<string, bigint>()

  const foldAll = (stream: string, events: readonly DomainEvent[], actor = 'ada') => {
    if (events.length === 0) return
    const before = viewStore.checkpoint(generation)
    const recorded = events.map((event, i): RecordedEvent => {
      const revision = (revisions.get(stream) ?? -1n) + 1n
      revisions.set(stream, revision)
      const position = before.position + 1n + BigInt(i)
      const schema = Math.max(itemEvents.schemaOf(event.type), reportEvents.schemaOf(event.type))
      const metadata = { actor, causationId: 'c', correlationId: 'c', schema }
      return { ...event, id: String(position), stream, revision, position, recordedAt, metadata }
    })
    foldBatch(viewCheckpoint(viewStore, generation), fixity, before, {
      events: recorded,
      position: recorded.at(-1)!.position,
    })
  }

  return {
    viewStore,
    recordAt: (time) => {
      recordedAt = time
    },
    fold: (events, of = item, actor) => foldAll(itemStream(of), events, actor),
    foldStore: (events, store = item.store) => foldAll(storeStream(store), events),
    foldBatch: (events, batch = 'one') => foldAll(batchStream(batch), events),
    foldRequest: (events, request = '1/a') => foldAll(requestStream(request), events),
    foldComparison: (events, store = item.store) => foldAll(comparisonStream(store), events),
    foldReports: (events) => foldAll(reportStream('daily'), events),
    row: ({ store, path } = item) =>
      viewStore.query('fixity-items', {
        where: [
          { column: 'store', is: '=', value: store },
          { column: 'path', is: '=', value: path },
        ],
      })[0],
    rows: (view) => viewStore.query(view, {}),
  }
}
