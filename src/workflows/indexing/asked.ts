import type { IndexingAsked } from '../../projections/indexing/asked.ts'
import type { ReadHome } from '../workflow-model.ts'
import { indexAlone } from './context.ts'
import type { IndexingConfig } from './settings.ts'

/** Dependencies of questions about the index; their code is loaded on use. */
export const askedOfIndexing = (home: ReadHome<IndexingConfig>): { readonly indexing: IndexingAsked } => ({
  indexing: {
    captures: async (at) => (await import('./capture-source.ts')).captureSource(indexAlone(home), at),
    indexPlace: async () => (await import('./index-place.ts')).indexPlace(indexAlone(home)),
    replay: home.config.indexingReplay,
  },
})
