import type * as t from 'io-ts'
import { budgetStanding } from '../../../domain/fixity/due/budgets.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import type { Budget } from './answers.ts'

type BudgetAnswer = t.TypeOf<typeof Budget>

/** Undefined if the store has no byte budget. */
export const budgetAnswer = (
  views: Pick<Views, 'query' | 'tally'>,
  store: string,
  now: string,
): BudgetAnswer | undefined => {
  const standing = budgetStanding(views, store, now)
  if (!standing) return undefined
  const { bytesPerDay, read, inHand, waiting, goesOnAt } = standing
  return { bytesPerDay, bytesRead: read + inHand, waiting, goesOnAt }
}

export const budgetSentence = ({ bytesPerDay, bytesRead, waiting, goesOnAt }: BudgetAnswer): string =>
  `Its checks may read ${bytes(bytesPerDay)} a day of UTC: ${bytes(bytesRead)} today` +
  (goesOnAt === null
    ? '.'
    : `. ${plural(waiting, 'check waits', 'checks wait')} for the next day, and go${waiting === 1 ? 'es' : ''} on at ${toTheSecond(goesOnAt)}: what is late may be so for this.`)
