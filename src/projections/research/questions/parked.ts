import { is, isSet, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, clips, episodeResults, episodes, failures } from '../../../domain/research/views.ts'
import { hasFailed } from '../silence-rows.ts'
import type { EpisodeRow } from '../tables.ts'
import type { Parked } from './answers.ts'
import { compare, liveness } from './reading.ts'

/** X8: parked episodes, clips and pairs, the longest first, without withdrawn ones. */
export const parked = (store: Views): readonly Parked[] => {
  const where = [isSet('parkedAt')]
  const isEpisode = liveness(store, episodeResults)
  const isClip = liveness(store, clipResults)
  return [
    ...rows(store, episodes, { where: [...where, is('withdrawnAt', null)] })
      .filter(({ episode }) => isEpisode(episode))
      .map((row) => line('episode', troubleOf(store, row), { episode: row.episode })),
    ...rows(store, clips, { where: [...where, is('withdrawnAt', null)] })
      .filter(({ clip }) => isClip(clip))
      .map((row) => line('clip', row, { clip: row.clip })),
    ...rows(store, failures, { where })
      .filter(({ episode, clip }) => isEpisode(episode) && isClip(clip))
      .map((row) => line('pair', row, { episode: row.episode, clip: row.clip })),
  ].sort((one, other) => compare(one.parkedAt, other.parkedAt))
}

interface Trouble {
  readonly failures: number | null
  readonly error: string | null
  readonly parkedAt: string | null
}

/** Its failures, or its silent leases. */
const troubleOf = (store: Views, episode: EpisodeRow): Trouble => {
  if (hasFailed(episode)) return episode
  const silent = row(store, episodeResults, is('episode', episode.episode))?.silent ?? 0
  return {
    failures: silent,
    error: `the last ${silent} researchers who took it were not heard of again: its media may end whatever reads it`,
    parkedAt: episode.parkedAt,
  }
}

const line = (
  subject: Parked['subject'],
  { failures, error, parkedAt }: Trouble,
  which: Pick<Parked, 'episode' | 'clip'>,
): Parked => ({
  subject,
  ...which,
  failures: failures ?? 0,
  error: error ?? '',
  parkedAt: parkedAt ?? '',
  remedy: retryLine(which),
})

/** The command line that tries an episode with its pairs, or a clip, again at once. */
export const retryLine = ({ episode, clip = '' }: Pick<Parked, 'episode' | 'clip'>): string =>
  `fonds do research.retry ${episode === undefined ? field('clip', clip) : field('episode', episode)} --actor <you> --reason <why>`

/** Quoted for a shell. */
const field = (name: string, id: string): string =>
  /^[\w.:@/+-]+$/.test(id) ? `${name}=${id}` : `'${name}=${id.replaceAll("'", `'\\''`)}'`
