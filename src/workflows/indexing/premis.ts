import { fileId, fileOf } from '../../domain/indexing/file.ts'
import { premisMapping } from '../../domain/indexing/premis.ts'
import { files } from '../../domain/indexing/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { PremisWorkflow } from '../premis-model.ts'

/* Archive files as objects of PREMIS. */

const isUri = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location)

export const indexingPremis: PremisWorkflow = {
  kind: 'exported',
  mapping: premisMapping,
  objects: function* (id, viewStore) {
    if (!id.includes('/')) return
    const file = fileOf(id)
    const where = [is('repository', file.repository), is('name', file.name)]
    for (const { size, location } of rowsIfFolded(viewStore, files, { where }))
      yield {
        category: 'file',
        identifiers: [{ type: 'fonds archive file', value: fileId(file) }],
        originalName: file.name,
        ...(size !== null && { size }),
        ...(location !== null && { location: { type: isUri(location) ? 'URI' : 'path', value: location } }),
      }
  },
}
