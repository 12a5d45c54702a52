import { type ConditionOn, countRows, is, isSet, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, clips, episodeResults, episodes, failures } from '../../../domain/research/views.ts'
import type { NextTry } from './answers.ts'
import { compare, idsOf } from './reading.ts'

/** Episodes, clips and pairs that failed and are tried again. */
export interface Waiting {
  readonly count: number
  /** Those with the earliest tries, the first to be tried first. */
  readonly first: readonly NextTry[]
}

interface Trouble {
  readonly failures: number | null
  readonly error: string | null
  readonly retryAt: string | null
}

/**
 * X8: what failed and is not parked, without withdrawn subjects and those that nobody curated. A hundred thousand may wait: they are counted by an index,
 * and only `max` are read.
 */
export const waitingFor = (store: Views, max: number): Waiting => {
  const isLive = [isSet('firstCuratedAt'), is('withdrawnAt', null)] as const
  const where = [isSet('retryAt'), is('parkedAt', null), ...isLive] as const
  const orderBy = [{ column: 'retryAt' }] as const
  const pairs = waitingPairs(store, max)
  return {
    count: countRows(store, episodes, ...where) + countRows(store, clips, ...where) + pairs.count,
    first: [
      ...rows(store, episodes, { where, orderBy, limit: max }).map((row) =>
        nextTry('episode', row, { episode: row.episode }),
      ),
      ...rows(store, clips, { where, orderBy, limit: max }).map((row) =>
        nextTry('clip', row, { clip: row.clip }),
      ),
      ...pairs.first,
    ]
      .sort((one, other) => compare(one.at, other.at))
      .slice(0, max),
  }
}

/** Pairs have no row for their subjects' withdrawal: those of withdrawn ones are passed over. A parked pair has no next try. */
const waitingPairs = (store: Views, max: number): Waiting => {
  const all = countRows(store, failures, isSet('retryAt'))
  if (all === 0) return { count: 0, first: [] }
  const notLive = { column: 'state', is: '!=', value: 'live' } as const
  const notLiveEpisodes = new Set(idsOf(store, episodeResults, notLive).map(String))
  const notLiveClips = new Set(idsOf(store, clipResults, notLive).map(String))
  const ofEpisodes = { column: 'episode', is: 'in', value: [...notLiveEpisodes] } as const
  const ofClips = { column: 'clip', is: 'in', value: [...notLiveClips] } as const
  const counted = (...where: readonly ConditionOn<typeof failures>[]): number =>
    where.some(({ value }) => Array.isArray(value) && value.length === 0)
      ? 0
      : countRows(store, failures, isSet('retryAt'), ...where)
  const first: NextTry[] = []
  const size = 10 * max
  for (let offset = 0; first.length < max && offset < all; offset += size)
    for (const row of rows(store, failures, {
      where: [isSet('retryAt')],
      orderBy: [{ column: 'retryAt' }],
      limit: size,
      offset,
    }))
      if (first.length < max && !notLiveEpisodes.has(row.episode) && !notLiveClips.has(row.clip))
        first.push(nextTry('pair', row, { episode: row.episode, clip: row.clip }))
  return { count: all - counted(ofEpisodes) - counted(ofClips) + counted(ofEpisodes, ofClips), first }
}

const nextTry = (
  subject: NextTry['subject'],
  { failures, error, retryAt }: Trouble,
  which: Pick<NextTry, 'episode' | 'clip'>,
): NextTry => ({ subject, ...which, failures: failures ?? 0, error: error ?? '', at: retryAt ?? '' })
