import { activityView } from '../../../domain/kernel/activity.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY, MINUTE, millisBetween } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { slotOf } from '../../runtime/activity.ts'

/* The work of a workflow, from `<workflow>-activity`: a night is a hundred rows, a month thirty. */

interface Amounts {
  readonly done: number
  readonly wrong: number
  readonly odd: number
}

/** A stretch of time without a longer pause. Times are ISO 8601 UTC. */
export interface Run extends Amounts {
  readonly from: string
  readonly until: string
}

/** Ten minutes in which something went wrong, or is to be looked at. */
export interface Mark {
  readonly at: string
  readonly wrong: number
  readonly odd: number
}

export interface DayOfWork extends Amounts {
  /** UTC. */
  readonly day: string
}

type ActivityViews = Views & Pick<ViewStore, 'shape'>

export const isCounted = (views: Pick<ActivityViews, 'shape'>, workflow: string): boolean =>
  views.shape(activityView(workflow).name) !== undefined

/** A longer pause ends a run. */
const maxPauseMillis = 20 * MINUTE

/** Now, or a moment of the past. */
export interface Moment {
  readonly time: string
  readonly isPast: boolean
}

/** As of the past, the ten minutes under way then are left out if something was done in them later. */
const slots = (views: ActivityViews, workflow: string, since: string, { time, isPast }: Moment) =>
  rowsIfFolded(views, activityView(workflow), {
    where: [
      is('of', 'slot'),
      { column: 'begin', is: '>=', value: slotOf(since) },
      ...(isPast ? [{ column: 'begin', is: '<=', value: slotOf(time) } as const] : []),
    ],
    orderBy: [{ column: 'begin' }],
  }).filter(({ last }) => last >= since && (!isPast || last <= time))

/** The runs of a workflow since a time, the oldest first, and the marks in them. */
export const runsOf = (
  views: ActivityViews,
  workflow: string,
  since: string,
  moment: Moment,
): { readonly runs: readonly Run[]; readonly marks: readonly Mark[] } => {
  const runs: Run[] = []
  const marks: Mark[] = []
  for (const { first, last, done, wrong, odd } of slots(views, workflow, since, moment)) {
    const from = first < since ? since : first
    const before = runs.at(-1)
    if (before && millisBetween(before.until, from) <= maxPauseMillis)
      runs[runs.length - 1] = {
        from: before.from,
        until: last,
        done: before.done + done,
        wrong: before.wrong + wrong,
        odd: before.odd + odd,
      }
    else runs.push({ from, until: last, done, wrong, odd })
    if (wrong + odd > 0) marks.push({ at: last, wrong, odd })
  }
  return { runs, marks }
}

/** The last days, that of the moment among them, the oldest first. Those without work are all zero. */
export const daysOfWork = (
  views: ActivityViews,
  workflow: string,
  days: number,
  moment: Moment,
): readonly DayOfWork[] => {
  const { time, isPast } = moment
  const dayBefore = (n: number) => addMillis(time, -n * DAY).slice(0, 10)
  const found = new Map(
    rowsIfFolded(views, activityView(workflow), {
      where: [
        is('of', 'day'),
        { column: 'begin', is: '>=', value: dayBefore(days - 1) },
        { column: 'begin', is: '<=', value: dayBefore(0) },
      ],
    }).map((row) => [row.begin, row] as const),
  )
  const inDay = ({ done, wrong, odd }: Amounts): Amounts => ({ done, wrong, odd })
  const nothing: Amounts = { done: 0, wrong: 0, odd: 0 }
  return Array.from({ length: days }, (_, i) => {
    const day = dayBefore(days - 1 - i)
    const row = found.get(day)
    if (!row) return { day, ...nothing }
    const isWhole = !isPast || row.last <= time
    return { day, ...(isWhole ? inDay(row) : sumOf(slots(views, workflow, `${day}T00:00`, moment))) }
  })
}

const sumOf = (all: readonly Amounts[]): Amounts =>
  all.reduce<Amounts>(
    (sum, { done, wrong, odd }) => ({ done: sum.done + done, wrong: sum.wrong + wrong, odd: sum.odd + odd }),
    { done: 0, wrong: 0, odd: 0 },
  )

/** Things done in the 60 minutes before a time, those that went wrong among them. */
export const doneInHour = (views: ActivityViews, workflow: string, now: string): number => {
  const { done, wrong } = sumOf(
    slots(views, workflow, addMillis(now, -60 * MINUTE), { time: now, isPast: false }),
  )
  return done + wrong
}
