import { accessEvents } from '../../domain/indexing/access/events.ts'
import { accessCategory } from '../../domain/indexing/access/rule.ts'
import { events } from '../../domain/indexing/events.ts'
import { category, fileOf, fileStream } from '../../domain/indexing/file.ts'
import { topics } from '../../domain/indexing/messages.ts'
import { postEvents, postsCategory } from '../../domain/indexing/posts/events.ts'
import { indexing } from '../../projections/indexing/projection.ts'
import type { WorkflowModel } from '../workflow-model.ts'
import { archiveFilePlaces, archiveFilesAt } from './archive-file-places.ts'
import { askedOfIndexing } from './asked.ts'

export const indexingModel: WorkflowModel = {
  name: 'indexing',
  description: 'Indexes archive files for replay, each once.',
  topics,
  eventSets: [
    { category, events },
    { category: accessCategory, events: accessEvents },
    { category: postsCategory, events: postEvents },
  ],
  projections: [indexing],
  streamsOf: (id) => (id.includes('/') ? [fileStream(fileOf(id))] : []),
  placesOf: archiveFilePlaces,
  asked: askedOfIndexing,
  thingsAt: archiveFilesAt,
}
