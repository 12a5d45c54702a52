import type { EpisodeEvent } from '../../domain/research/episode/events.ts'
import { type CurationRow, changeCuration } from './curation-rows.ts'
import { policyOf } from './policy-rows.ts'
import { episodeResultsOf } from './subject-rows.ts'
import type { ResearchTables } from './tables.ts'

type Expired = Extract<EpisodeEvent, { readonly type: 'LeaseExpired' }>['data']

/** One more silent lease in a row: `attempts` of them park the episode. */
export const fallSilent = (tables: ResearchTables, episode: string, { silent, at }: Expired): void => {
  if (silent === undefined) return
  tables['research-episode-results'].put({ ...episodeResultsOf(tables, episode), silent })
  if (silent >= policyOf(tables).attempts)
    changeCuration(tables, 'episode', episode, ({ parkedAt }) => ({ parkedAt: parkedAt ?? at }))
}

/** A report ends the run of silent leases. The episode stays parked if it failed too often. */
export const endSilence = (tables: ResearchTables, episode: string): void => {
  const results = episodeResultsOf(tables, episode)
  if (results.silent === 0) return
  tables['research-episode-results'].put({ ...results, silent: 0 })
  changeCuration(tables, 'episode', episode, (row) => ({ parkedAt: hasFailed(row) ? row.parkedAt : null }))
}

/** True where failures park it, not silence alone. */
export const hasFailed = ({ failures, retryAt }: Pick<CurationRow, 'failures' | 'retryAt'>): boolean =>
  failures !== null && failures > 0 && retryAt === null
