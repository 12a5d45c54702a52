import { basename } from 'node:path'
import { accessEvents } from '../../domain/indexing/access/events.ts'
import { accessCategory } from '../../domain/indexing/access/rule.ts'
import { bucketEventsTopic } from '../../domain/indexing/bucket-events.ts'
import { events } from '../../domain/indexing/events.ts'
import { category, fileId, fileOf, fileStream } from '../../domain/indexing/file.ts'
import { topics } from '../../domain/indexing/messages.ts'
import { postEvents, postsCategory } from '../../domain/indexing/posts/events.ts'
import { files } from '../../domain/indexing/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { indexingActivity } from '../../projections/indexing/activity.ts'
import type { IndexingAsked } from '../../projections/indexing/asked.ts'
import { indexing } from '../../projections/indexing/projection.ts'
import { pathOfAddress } from '../path-of-address.ts'
import type { ReadHome, Related, WorkflowModel } from '../workflow-model.ts'
import { indexAlone } from './context.ts'
import type { IndexingConfig } from './settings.ts'

/** Dependencies of questions about the index; their code is loaded on use. */
const askedOfIndexing = (home: ReadHome<IndexingConfig>): { readonly indexing: IndexingAsked } => ({
  indexing: {
    captures: async (at) => (await import('./capture-source.ts')).captureSource(indexAlone(home), at),
    indexPlace: async () => (await import('./index-place.ts')).indexPlace(indexAlone(home)),
    replay: home.config.indexingReplay,
  },
})

/** Returns the path of an archive file, unless it is on a server. */
const archiveFilePlaces = (id: string, viewStore: ViewStore): readonly string[] => {
  if (!id.includes('/')) return []
  const { repository, name } = fileOf(id)
  return rowsIfFolded(viewStore, files, {
    where: [is('repository', repository), is('name', name)],
    limit: 1,
  }).flatMap(({ location }) => pathOfAddress(location) ?? [])
}

const archiveFilesAt = (place: string, viewStore: ViewStore): readonly Related[] =>
  rowsIfFolded(viewStore, files, { where: [is('name', basename(place))] })
    .filter(({ location }) => pathOfAddress(location) === place)
    .map((file) => ({ id: fileId(file), says: 'the archive file as it is indexed' }))

export const indexingModel: WorkflowModel = {
  name: 'indexing',
  description: 'Indexes archive files for replay, each once.',
  topics: [...topics, bucketEventsTopic],
  eventSets: [
    { category, events },
    { category: accessCategory, events: accessEvents },
    { category: postsCategory, events: postEvents },
  ],
  projections: [indexing],
  activity: indexingActivity,
  finders: async () => (await import('../../projections/indexing/finders.ts')).indexingFinders,
  streamsOf: (id) => (id.includes('/') ? [fileStream(fileOf(id))] : []),
  premis: async () => (await import('./premis.ts')).indexingPremis,
  placesOf: archiveFilePlaces,
  asked: askedOfIndexing,
  thingsAt: archiveFilesAt,
}
