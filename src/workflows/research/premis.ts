import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { premisMapping } from '../../domain/research/premis.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import type { PremisWorkflow } from '../premis-model.ts'

/* Episodes and clips as objects of PREMIS. */

export const researchPremis: PremisWorkflow = {
  kind: 'exported',
  mapping: premisMapping,
  objects: function* (id, viewStore) {
    for (const { title } of rowsIfFolded(viewStore, episodes, { where: [is('episode', id)] }))
      yield entity('fonds episode', id, title)
    for (const { title } of rowsIfFolded(viewStore, clips, { where: [is('clip', id)] }))
      yield entity('fonds clip', id, title)
  },
}

const entity = (type: string, value: string, title: string | null) => ({
  category: 'intellectualEntity' as const,
  identifiers: [{ type, value }] as const,
  ...(title && { originalName: title }),
})
