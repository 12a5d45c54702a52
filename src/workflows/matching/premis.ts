import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { premisMapping } from '../../domain/matching/premis.ts'
import { works } from '../../domain/matching/views.ts'
import type { PremisWorkflow } from '../premis-model.ts'

/* Works as objects of PREMIS. */

export const matchingPremis: PremisWorkflow = {
  kind: 'exported',
  mapping: premisMapping,
  objects: function* (id, viewStore) {
    for (const { title } of rowsIfFolded(viewStore, works, { where: [is('work', id)] }))
      yield {
        category: 'intellectualEntity',
        identifiers: [{ type: 'fonds work', value: id }],
        ...(title && { originalName: title }),
      }
  },
}
