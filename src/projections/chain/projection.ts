import { category as archiveCategory, archiveEvents } from '../../domain/chain/archive/events.ts'
import { category, dossierEvents } from '../../domain/chain/events.ts'
import {
  fixityBatchCategory,
  fixityBatches,
  fixityCategory,
  fixityItems,
  indexingCategory,
  indexingFiles,
} from '../../domain/chain/inputs.ts'
import { views } from '../../domain/chain/views.ts'
import { projection } from '../runtime/projection.ts'
import { adoptionHandlers } from './adoption-rows.ts'
import { archiveHandlers } from './archive-rows.ts'
import { batchHandlers, weightOf } from './batch-rows.ts'
import { dossierHandlers } from './dossier-rows.ts'
import { partHandlers } from './part-rows.ts'

/** Dossiers, and what the workflows found of their parts: of one moment. */
export const chain = projection(
  {
    name: 'chain',
    version: 2,
    description: 'Objects on their way through the workflows, and their files under fixity and in the index.',
    views,
    weigh: weightOf,
  },
  (on) => [
    on(category, dossierEvents, dossierHandlers),
    on(archiveCategory, archiveEvents, adoptionHandlers),
    on(fixityCategory, fixityItems, partHandlers),
    on(fixityBatchCategory, fixityBatches, batchHandlers),
    on(indexingCategory, indexingFiles, archiveHandlers),
  ],
)
