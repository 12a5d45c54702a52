import { basename } from 'node:path'
import { fileId, fileOf } from '../../domain/indexing/file.ts'
import { files } from '../../domain/indexing/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { pathOfAddress } from '../path-of-address.ts'
import type { Related } from '../workflow-model.ts'

/** Returns the path of an archive file, unless it is on a server. */
export const archiveFilePlaces = (id: string, viewStore: ViewStore): readonly string[] => {
  if (!id.includes('/')) return []
  const { repository, name } = fileOf(id)
  return rowsIfFolded(viewStore, files, {
    where: [is('repository', repository), is('name', name)],
    limit: 1,
  }).flatMap(({ location }) => pathOfAddress(location) ?? [])
}

export const archiveFilesAt = (place: string, viewStore: ViewStore): readonly Related[] =>
  rowsIfFolded(viewStore, files, { where: [is('name', basename(place))] })
    .filter(({ location }) => pathOfAddress(location) === place)
    .map((file) => ({ id: fileId(file), says: 'the archive file as it is indexed' }))
