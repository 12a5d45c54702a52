import { dossierDecider } from '../../domain/chain/decide.ts'
import { dossierStream } from '../../domain/chain/events.ts'
import { indexingCategory, indexingFiles } from '../../domain/chain/inputs.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import { archives } from '../../domain/chain/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Route } from '../runtime/processor.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

/**
 * Notes in the dossiers what indexing made of their archive files: the first time that one is in the index, when one cannot be
 * indexed, and when it is again.
 */
export const noteIndexing = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'chain-indexed',
  filter: { categories: [indexingCategory], types: ['FileIndexed', 'IndexingFailed', 'FileParked'] },
  async *react(event, signal) {
    await viewsReach(event.position, signal)
    yield routesOf(viewStore, event)
  },
})

/** The views name the events by which a file was indexed, or could not be: this one, if it is that. */
const routesOf = (views: Pick<ViewStore, 'query'>, event: RecordedEvent): readonly Route[] => {
  const id = idOf(event.stream)
  const slash = id.indexOf('/')
  const [store, name] = [id.slice(0, slash), id.slice(slash + 1)]
  const file = row(views, archives, is('repository', store), is('name', name))
  if (!file) return []
  const position = Number(event.position)
  const { type, data } = readOrStop(indexingFiles, event)
  const outcome =
    type === 'FileIndexed'
      ? file.indexedBy === position && { lines: data.lines }
      : (type === 'IndexingFailed' || type === 'FileParked') &&
        file.failedBy === position && { finding: data.reason }
  if (!outcome) return []
  const by = { actor: chainSource, at: event.recordedAt }
  return [
    routeTo(dossierDecider, dossierStream(file.object), {
      type: 'NoteIndexing',
      store,
      name,
      outcome,
      ...by,
    }),
  ]
}
