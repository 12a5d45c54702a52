import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ClipEvent } from '../../domain/research/clip/events.ts'
import type { EpisodeEvent } from '../../domain/research/episode/events.ts'
import { changeCuration, noFailures } from './curation-rows.ts'
import { countHour } from './hour-rows.ts'
import { leaseFailure } from './lease-rows.ts'
import { changeResearcher } from './researcher-rows.ts'
import { endSilence } from './silence-rows.ts'
import { episodeResultsOf } from './subject-rows.ts'
import type { EpisodeResultsRow, ResearchTables } from './tables.ts'

type Failed = Extract<EpisodeEvent, { readonly type: 'ResearchFailed' }>['data']
type ClipFailed = Extract<ClipEvent, { readonly type: 'ClipFailed' }>['data']

/** X8: a failure is a fact. A failure of a clip's media is counted in the clip's row, by `failClip`. */
export const failResearch = (tables: ResearchTables, event: RecordedEvent, data: Failed): void => {
  const { subject, clip, researcher, at } = data
  const episode = idOf(event.stream)
  leaseFailure(tables, data)
  endSilence(tables, episode)
  changeResearcher(tables, researcher, ({ failures }) => ({ failures: (failures ?? 0) + 1 }))
  countHour(tables, at, { failures: 1 })
  // A failure without an attempt does not count here: it is of the clip's media, or of a pair that is done.
  if (data.attempt === undefined) return
  if (subject === 'episode') {
    changeCuration(tables, 'episode', episode, ({ parkedAt }) => troubleOf(data, parkedAt))
    tables['research-episode-results'].put({ ...episodeResultsOf(tables, episode), failing: 1 })
  } else if (subject === 'pair' && clip !== undefined) failPair(tables, episode, clip, data)
}

export const failClip = (tables: ResearchTables, event: RecordedEvent, data: ClipFailed): void => {
  changeCuration(tables, 'clip', idOf(event.stream), ({ parkedAt }) => troubleOf(data, parkedAt))
}

/**
 * `attempt` without `retryAt` is parked (F22). A subject that is parked already, and fails once more under an older
 * lease, keeps its `parkedAt`.
 */
const troubleOf = (
  { attempt, error, retryAt, at }: Pick<Failed, 'attempt' | 'error' | 'retryAt' | 'at'>,
  parkedAt: string | null | undefined,
) => ({
  failures: attempt ?? 1,
  error,
  retryAt: retryAt ?? null,
  parkedAt: retryAt === undefined ? (parkedAt ?? at) : null,
})

const failPair = (tables: ResearchTables, episode: string, clip: string, data: Failed): void => {
  const { stage, researcher, at } = data
  const { parkedAt } = tables['research-failures'].get(episode, clip) ?? {}
  tables['research-failures'].put({
    episode,
    clip,
    ...troubleOf(data, parkedAt),
    stage,
    researcher,
    failedAt: at,
  })
  const results = episodeResultsOf(tables, episode)
  const failing = failingClips(results)
  if (!failing.includes(clip))
    tables['research-episode-results'].put({ ...results, failingClips: [...failing, clip] })
}

const failingClips = ({ failingClips }: EpisodeResultsRow): readonly string[] => failingClips ?? []

/** Has the episode, and its pairs, retried on a person's command. */
export const forgetFailures = (tables: ResearchTables, event: RecordedEvent): void => {
  const episode = idOf(event.stream)
  const results = episodeResultsOf(tables, episode)
  changeCuration(tables, 'episode', episode, () => noFailures)
  for (const clip of failingClips(results)) tables['research-failures'].delete(episode, clip)
  tables['research-episode-results'].put({ ...results, ...noTrouble })
}

/**
 * A result shows that the media can be read: it ends the failures of the episode and of this pair. Returns the change of the
 * results' row.
 */
export const succeed = (
  tables: ResearchTables,
  results: EpisodeResultsRow,
  clip: string,
): Pick<EpisodeResultsRow, 'failing' | 'failingClips' | 'silent'> => {
  const failing = failingClips(results)
  if (results.failing === 0 && results.silent === 0 && failing.length === 0) return noTrouble
  if (results.failing !== 0 || results.silent !== 0)
    changeCuration(tables, 'episode', results.episode, () => noFailures)
  if (failing.includes(clip)) tables['research-failures'].delete(results.episode, clip)
  const others = failing.filter((one) => one !== clip)
  return { ...noTrouble, failingClips: others.length > 0 ? others : null }
}

const noTrouble = { failing: 0, failingClips: null, silent: 0 } as const
