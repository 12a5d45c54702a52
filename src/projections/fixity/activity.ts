import * as t from 'io-ts'
import { category as batchCategory } from '../../domain/fixity/batch/events.ts'
import { Outcome } from '../../domain/fixity/events.ts'
import { category } from '../../domain/fixity/item.ts'
import { category as storeCategory } from '../../domain/fixity/store/events.ts'
import { activityProjection, counted, type Work } from '../runtime/activity.ts'

/** An attempt that is tried again is no check yet. */
const works: Readonly<Record<Outcome, Work | undefined>> = {
  success: { done: 1 },
  unverified: { done: 1 },
  failure: { wrong: 1 },
  nothing: undefined,
  retry: undefined,
  deferred: undefined,
}

const Intact = t.type({ intact: t.array(t.type({ items: t.UnknownArray })) })

/** Checks: those that failed are wrong; those that could not be done, and stores that are away, are to be looked at. */
export const fixityActivity = activityProjection('fixity', 1, [
  counted(category, 'FixityDecided', t.type({ outcome: Outcome }), ({ outcome }) => works[outcome]),
  counted(batchCategory, 'BatchChecked', Intact, ({ intact }) => ({
    done: intact.reduce((sum, { items }) => sum + items.length, 0),
  })),
  counted(category, 'CheckParked', t.unknown, () => ({ odd: 1 })),
  counted(storeCategory, 'StoreAway', t.unknown, () => ({ odd: 1 })),
])
