import * as t from 'io-ts'
import { category } from '../../domain/indexing/file.ts'
import { activityProjection, counted } from '../runtime/activity.ts'

/** Archive files indexed; attempts that failed are wrong, and names in conflict are to be looked at. */
export const indexingActivity = activityProjection('indexing', 1, [
  counted(category, 'FileIndexed', t.unknown, () => ({ done: 1 })),
  counted(category, 'IndexingFailed', t.unknown, () => ({ wrong: 1 })),
  counted(category, 'ConflictFound', t.unknown, () => ({ odd: 1 })),
])
