import type { Rejection } from '../../domain/kernel/rejection.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import { type Row, type ViewQuery, ViewQueryError, type ViewStore } from '../../ports/view-store.ts'

type Views = Pick<ViewStore, 'query'>

/**
 * Why readers should not get a generation yet: it was not told every component, or has not all their documents. Views that
 * lag say so for longer, never for too short a time. Whether it may be switched to at all is not judged here.
 */
export const unbuilt = (generation: number, views: Views): Rejection | undefined => {
  // The first one was never listed: it has been told everything from the beginning.
  if (generation === 1) return undefined
  const [row] = rowsOf(views, 'matching-generations', { where: [is(generation)] })
  if (!row)
    return reject(
      `the views know of no generation ${generation}; \`fonds matching generations\` lists those that there are`,
    )
  const { status, listedAt } = row
  if (status === 'live' || status === 'dropped') return undefined
  if (typeof listedAt !== 'string')
    return reject(
      `generation ${generation} is still being built: readers would miss works; ${instead(generation)}`,
    )
  // The clock that says when it was listed is another one than the log's.
  const listed = addMillis(listedAt, MINUTE)
  const waiting = rowsOf(views, 'matching-graphs', {
    where: [is(generation), { column: 'waitingSince', is: '<=', value: listed }],
    limit: 1,
  })
  return waiting.length === 0
    ? undefined
    : reject(
        `documents of generation ${generation} are still being made: readers would miss works; ${instead(generation)}`,
      )
}

const instead = (generation: number): string =>
  `wait until they are there, or take what there is: \`fonds matching switch ${generation} --anyway\` (anyway: true)`

const is = (generation: number) => ({ column: 'generation', is: '=', value: generation }) as const

const rowsOf = (views: Views, view: string, query: ViewQuery): readonly Row[] => {
  try {
    return views.query(view, query)
  } catch (error) {
    if (error instanceof ViewQueryError) return []
    throw error
  }
}

const reject = (message: string): Rejection => ({ code: 'not-built', message })
