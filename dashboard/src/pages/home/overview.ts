import type { paths } from '../../api/schema.ts'
import { count, plural } from '../../parts/words.ts'

export type Overview = paths['/api/v1/overview']['get']['responses'][200]['content']['application/json']
export type Lane = Overview['lanes'][number]
export type Work = NonNullable<Lane['underWay']>[number]

export const daysShown = 30

const hourMillis = 3600 * 1000
const eveningHour = 18
const shortestHours = 6

/** The evening before: 18:00 of the reader's day, at least six hours ago. */
export const eveningBefore = (now: Date): Date => {
  const evening = new Date(now)
  evening.setHours(eveningHour, 0, 0, 0)
  while (now.getTime() - evening.getTime() < shortestHours * hourMillis)
    evening.setDate(evening.getDate() - 1)
  return evening
}

/** Whole hours to ask for, so that the evening is among them. */
export const hoursSince = (evening: Date, now: Date): number =>
  Math.ceil((now.getTime() - evening.getTime()) / hourMillis)

/** `fixity` as `Fixity`. */
export const titled = (workflow: string): string => `${workflow[0]?.toUpperCase() ?? ''}${workflow.slice(1)}`

/** How much was done, in words: `4,120 checks, 2 of them wrong`. */
export const amountWords = (
  { counts: [one, many] }: Pick<Lane, 'counts'>,
  { done, wrong, odd }: { readonly done: number; readonly wrong: number; readonly odd: number },
): string => {
  const parts = [
    ...(wrong > 0 ? [`${count(wrong)} went wrong`] : []),
    ...(odd > 0 ? [`${count(odd)} to look at`] : []),
  ]
  return [plural(done, one, many), ...parts].join(', ')
}

/** Whether there is any work to show. */
export const hasWork = ({ lanes }: Overview): boolean =>
  lanes.some(
    ({ runs, days, underWay }) =>
      runs.length > 0 ||
      (underWay?.length ?? 0) > 0 ||
      days.some(({ done, wrong, odd }) => done + wrong + odd > 0),
  )

/** Lanes in the order of the rail; those that have no place there come last. */
export const inOrder = (overview: Overview, names: readonly string[]): Overview => {
  const place = ({ workflow }: Lane) => (names.indexOf(workflow) + names.length + 1) % (names.length + 1)
  return { ...overview, lanes: overview.lanes.toSorted((one, other) => place(one) - place(other)) }
}
