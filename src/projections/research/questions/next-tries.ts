import { is, isSet, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, clips, episodeResults, episodes, failures } from '../../../domain/research/views.ts'
import type { NextTry } from './answers.ts'
import { compare, liveness } from './reading.ts'

interface Trouble {
  readonly failures: number | null
  readonly error: string | null
  readonly retryAt: string | null
}

/** X8: episodes, clips and pairs that failed and are not parked, the next try first, without withdrawn ones. */
export const nextTries = (store: Views): readonly NextTry[] => {
  const where = [isSet('retryAt'), is('parkedAt', null)] as const
  const isEpisode = liveness(store, episodeResults)
  const isClip = liveness(store, clipResults)
  return [
    ...rows(store, episodes, { where: [...where, is('withdrawnAt', null)] })
      .filter(({ episode }) => isEpisode(episode))
      .map((row) => nextTry('episode', row, { episode: row.episode })),
    ...rows(store, clips, { where: [...where, is('withdrawnAt', null)] })
      .filter(({ clip }) => isClip(clip))
      .map((row) => nextTry('clip', row, { clip: row.clip })),
    ...rows(store, failures, { where })
      .filter(({ episode, clip }) => isEpisode(episode) && isClip(clip))
      .map((row) => nextTry('pair', row, { episode: row.episode, clip: row.clip })),
  ].sort((one, other) => compare(one.at, other.at))
}

const nextTry = (
  subject: NextTry['subject'],
  { failures, error, retryAt }: Trouble,
  which: Pick<NextTry, 'episode' | 'clip'>,
): NextTry => ({ subject, ...which, failures: failures ?? 0, error: error ?? '', at: retryAt ?? '' })
