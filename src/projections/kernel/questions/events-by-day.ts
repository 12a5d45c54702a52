import { rows, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { logBlocks, logDays, logTypes } from '../../../domain/kernel/views.ts'

export interface DayOfEvents {
  /** UTC: `2026-01-31`. */
  readonly day: string
  readonly type: string
  readonly events: number
}

/**
 * Number of events of these types recorded on each day from one on; days without any are left out. `end`: only in the
 * blocks of the log before that one.
 */
export const eventsByDay = (
  views: Views,
  types: readonly string[],
  since: string,
  end?: number,
): readonly DayOfEvents[] => {
  const days = rows(views, logDays, {
    where: [{ column: 'day', is: '>=', value: since }],
    orderBy: [{ column: 'day' }],
  })
  return days.flatMap(({ day, after }, i) => {
    const next = least(days[i + 1]?.after, end)
    return tally(views, logTypes, {
      by: ['type'],
      sum: ['events'],
      where: [
        { column: 'type', is: 'in', value: types },
        { column: 'after', is: '>=', value: after },
        ...(next === undefined ? [] : [{ column: 'after', is: '<', value: next } as const]),
      ],
    }).map(({ type, events }) => ({ day, type: String(type), events }))
  })
}

const least = (...numbers: readonly (number | undefined)[]): number | undefined => {
  const known = numbers.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** The block that contains a position: the position after which it begins. */
export const blockOf = (views: Views, position: bigint): number =>
  rows(views, logBlocks, {
    where: [{ column: 'after', is: '<', value: Number(position) }],
    orderBy: [{ column: 'after', descending: true }],
    limit: 1,
  })[0]?.after ?? -1
