import * as t from 'io-ts'
import { category } from '../../domain/matching/work.ts'
import { activityProjection, counted } from '../runtime/activity.ts'

/** Records taken in. */
export const matchingActivity = activityProjection('matching', 1, [
  counted(category, 'WorkObserved', t.unknown, () => ({ done: 1 })),
  counted(category, 'WorkCorrected', t.unknown, () => ({ done: 1 })),
])
