import { is, narrowRows, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, episodeResults } from '../../../domain/research/views.ts'
import type { EpisodeResultsRow } from '../tables.ts'
import type { Amounts } from './answers.ts'
import { type Bitmap, bitmapOf, countCommon, emptyBitmap, has, setOf, union } from './bitmap.ts'
import type { HeldLease } from './reading.ts'

/* Pairs are derived from live episodes and clips: curated and not withdrawn. Bitmaps say which pairs are done. */

export interface LiveClips {
  readonly count: number
  readonly numberOf: ReadonlyMap<string, number>
  readonly bitmap: Bitmap
}

export const liveClips = (store: Views): LiveClips => {
  const live = rows(store, clipResults, { where: [is('state', 'live')] })
  const numberOf = new Map(live.map(({ clip, number }) => [clip, number ?? 0]))
  return { count: live.length, numberOf, bitmap: setOf([...numberOf.values()]) }
}

export const doneColumns = ['episode', 'state', 'done', 'matched'] as const
/** Columns of an episode's row that determine its progress: its rows are wide. */
export type DoneRow = Pick<EpisodeResultsRow, (typeof doneColumns)[number]>

export const liveEpisodes = (store: Views): readonly DoneRow[] =>
  narrowRows(store, episodeResults, doneColumns, { where: [is('state', 'live')] })

/** Done pairs of an episode: many episodes have none yet. */
export const doneIn = ({ done }: Pick<DoneRow, 'done'>): Bitmap => {
  const bitmaps = Object.values(done as Readonly<Record<string, string>>)
  return bitmaps.length === 0 ? emptyBitmap : union(bitmaps.map(bitmapOf))
}

export const matchedIn = ({ matched }: Pick<DoneRow, 'matched'>): Bitmap =>
  matched ? bitmapOf(matched) : emptyBitmap

/** Number of live clips of a lease that are not done in its episode, by any researcher. */
export const openOf = ({ clips }: HeldLease, done: Bitmap, { numberOf }: LiveClips): number =>
  clips.filter((clip) => {
    const number = numberOf.get(clip)
    return number !== undefined && !has(done, number)
  }).length

interface EpisodeAmounts extends Amounts {
  readonly found: number
}

/** Amounts of a live episode; for another one only done pairs count. */
export const amountsOf = (row: DoneRow, leases: readonly HeldLease[], clips: LiveClips): EpisodeAmounts => {
  const done = doneIn(row)
  const researched = countCommon(done, clips.bitmap)
  const found = countCommon(matchedIn(row), clips.bitmap)
  if (row.state !== 'live') return { pairs: researched, researched, leased: 0, open: 0, found }
  const leased = leases.reduce((sum, lease) => sum + openOf(lease, done, clips), 0)
  return { pairs: clips.count, researched, leased, open: clips.count - researched - leased, found }
}
