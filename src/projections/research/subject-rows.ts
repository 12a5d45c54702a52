import { changeDesk } from './desk-rows.ts'
import type { ClipResultsRow, EpisodeResultsRow, ResearchTables } from './tables.ts'

/* The row that an episode or clip has from its first mention on, whoever mentions it. */

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
  }

/** Numbered, and written, at its first mention. */
export const clipResultsOf = (tables: ResearchTables, clip: string): ClipResultsRow => {
  const known = tables['research-clip-results'].get(clip)
  if (known) return known
  const { clips } = changeDesk(tables, (desk) => ({ clips: (desk.clips ?? 0) + 1 }))
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
