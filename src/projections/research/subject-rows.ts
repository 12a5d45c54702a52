import { changePolicy } from './policy-rows.ts'
import type { ClipResultsRow, EpisodeResultsRow, ResearchTables } from './tables.ts'

/* An episode or clip has this row from the first event that names it. */

export const episodeResultsOf = (tables: ResearchTables, episode: string): EpisodeResultsRow =>
  tables['research-episode-results'].get(episode) ?? {
    episode,
    state: 'unknown',
    researched: 0,
    found: 0,
    done: {},
    matched: '',
    overturned: '',
    duration: null,
    hash: null,
    lastResultAt: null,
    failing: 0,
    failingClips: null,
    silent: 0,
    soundless: 0,
  }

/** Written, with its number, when it is first named. */
export const clipResultsOf = (tables: ResearchTables, clip: string): ClipResultsRow => {
  const known = tables['research-clip-results'].get(clip)
  if (known) return known
  const { clips } = changePolicy(tables, (row) => ({ clips: (row.clips ?? 0) + 1 }))
  const row = {
    clip,
    number: (clips ?? 0) - 1,
    state: 'unknown',
    found: 0,
    occurrences: 0,
    duration: null,
    hash: null,
  }
  tables['research-clip-results'].put(row)
  return row
}
