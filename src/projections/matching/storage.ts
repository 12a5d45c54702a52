import type { views } from '../../domain/matching/views.ts'
import type { StorageOf } from '../runtime/projection.ts'

/** How the views of matching are stored. Works come in no order of their ids, which many rows share. */
export const storage: StorageOf<typeof views> = {
  'matching-works': {
    sparse: [['unmatchedSince'], ['corrections']],
    isUnordered: true,
    ids: ['work'],
    words: { column: 'title', are: 'words' },
  },
  'matching-links': { isUnordered: true, ids: ['from', 'to'] },
  'matching-placeholders': { ids: ['id'] },
  'matching-members': { ids: ['id'] },
  'matching-graphs': {
    sparse: [
      ['generation', 'waitingSince'],
      ['generation', 'fault'],
      ['generation', 'bridgeSide'],
      ['generation', 'confirmedAt'],
    ],
  },
  'matching-merged': { isUnordered: true, ids: ['work', 'to'] },
  'matching-turns': { isUnordered: true, isWrittenOnce: true, ids: ['work'] },
}
