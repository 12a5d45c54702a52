import type { IndexingAsked } from '../../projections/indexing/asked.ts'
import type { ReadHome } from '../workflow-model.ts'
import { indexAlone } from './context.ts'

/** What questions about the index ask; its code is loaded when they do. */
export const askedOfIndexing = (home: ReadHome): { readonly indexing: IndexingAsked } => ({
  indexing: {
    captures: async (at) => (await import('./capture-source.ts')).captureSource(indexAlone(home), at),
    indexPlace: async () => (await import('./index-place.ts')).indexPlace(indexAlone(home)),
    replay: home.config.indexingReplay,
  },
})
