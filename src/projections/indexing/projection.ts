import { events, type IndexingEvent } from '../../domain/indexing/events.ts'
import { category } from '../../domain/indexing/file.ts'
import { views } from '../../domain/indexing/views.ts'
import { type Handlers, projection } from '../runtime/projection.ts'
import { type IndexingTables, noteFile } from './file-rows.ts'

/** Every event of a file changes its row, by the fold that decisions are made from. */
const handlers: Handlers<IndexingEvent, IndexingTables> = Object.fromEntries(
  events.types.map((type) => [
    type,
    (data: unknown, event: Parameters<typeof noteFile>[1], tables: IndexingTables) =>
      noteFile(tables, event, { type, data } as IndexingEvent),
  ]),
)

export const indexing = projection(
  { name: 'indexing', version: 8, description: 'Archive files and what came of them.', views },
  (on) => [on(category, events, handlers)],
)
