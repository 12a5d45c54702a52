import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { generations, graphs } from '../../domain/matching/views.ts'

/**
 * Reason why readers should not get a generation yet: it lacks components, or some of their documents. If views lag, it
 * becomes ready later, never too early. Whether it may be switched to at all is decided elsewhere.
 */
export const whyNotReady = (generation: number, views: Pick<Views, 'query'>): Rejection | undefined => {
  // The first one was never listed: it got everything from the beginning.
  if (generation === 1) return undefined
  const ofIt = is('generation', generation)
  const [row] = rowsIfFolded(views, generations, { where: [ofIt] })
  if (!row)
    return reject(`the views have no generation ${generation}; \`fonds matching generations\` lists them`)
  const { status, listedAt } = row
  if (status === 'live' || status === 'dropped') return undefined
  if (listedAt === null)
    return reject(
      `generation ${generation} is still being built: readers would miss works; ${instead(generation)}`,
    )
  // The time of its listing is by another clock than the log's.
  const listed = addMillis(listedAt, MINUTE)
  const waiting = rowsIfFolded(views, graphs, {
    where: [ofIt, { column: 'waitingSince', is: '<=', value: listed }],
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

const reject = (message: string): Rejection => ({ code: 'not-built', message })
