import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import type { EpisodeEvent } from '../../domain/research/episode/events.ts'
import { engineKey } from '../../domain/research/terms.ts'
import { countBits, holdsBit, withBit, withoutBit } from './bits.ts'
import { succeed } from './failure-rows.ts'
import { recordFinding } from './finding-rows.ts'
import { countHour } from './hour-rows.ts'
import { leaseResult } from './lease-rows.ts'
import { changeResearcher } from './researcher-rows.ts'
import { type Result, resultOf } from './result.ts'
import { noteOddities } from './result-anomalies.ts'
import { clipResultsOf, episodeResultsOf } from './subject-rows.ts'
import type { ClipResultsRow, EpisodeResultsRow, ResearchTables } from './tables.ts'

type DataOf<Type extends EpisodeEvent['type']> = Extract<EpisodeEvent, { readonly type: Type }>['data']
type Done = Readonly<Record<string, string>>

/** Tens of millions are folded: one without a match writes only the rows of its episode, lease, researcher and hour. */
export const recordResult = (
  tables: ResearchTables,
  event: RecordedEvent,
  data: DataOf<'ClipResearched'>,
): void => {
  const result = resultOf(data, event)
  const episode = episodeResultsOf(tables, result.episode)
  const clip = clipResultsOf(tables, result.clip)
  noteOddities(tables, event, result, episode, clip)
  leaseResult(tables, result)
  countResult(tables, result)
  const found = recordFinding(tables, episode, clip, result)
  noteGaps(tables, episode, result)
  tables['research-episode-results'].put({
    ...episode,
    ...(!result.repeat && {
      researched: (episode.researched ?? 0) + 1,
      done: withPair(episode.done, engineKey(result.engine), clip.number ?? 0),
    }),
    ...found?.episode,
    soundless: soundlessBy(result) ?? episode.soundless,
    duration: result.episodeDuration,
    hash: result.episodeHash ?? episode.hash,
    lastResultAt: result.at,
    ...succeed(tables, episode, result.clip),
  })
  const after = {
    ...found?.clip,
    duration: result.clipDuration,
    hash: result.clipHash ?? clip.hash,
  }
  if (differs(clip, after)) tables['research-clip-results'].put({ ...clip, ...after })
}

/** Reads nothing for the results of an episode whose file is as it was, and whole. */
const noteGaps = (
  tables: ResearchTables,
  { hash }: EpisodeResultsRow,
  { episode, episodeHash, gaps }: Result,
): void => {
  if (gaps) tables['research-gaps'].put({ episode, ...gaps })
  else if (hash !== null && episodeHash !== undefined && episodeHash !== hash)
    tables['research-gaps'].delete(episode)
}

/**
 * Undefined where a result does not tell, as that of a clip which cannot be looked for. Gaps may hide sound: an episode
 * that has any does not count as silent, whoever reports it.
 */
const soundlessBy = ({ silent, bestScore = 0, matches, gaps }: Result): 0 | 1 | undefined => {
  if (gaps) return 0
  if (silent === 'episode') return 1
  return bestScore > 0 || matches.length > 0 ? 0 : undefined
}

const differs = (before: ClipResultsRow, after: Partial<ClipResultsRow>): boolean =>
  (Object.keys(after) as (keyof ClipResultsRow)[]).some((name) => after[name] !== before[name])

const withPair = (done: Done, engine: string, number: number): Done => ({
  ...done,
  [engine]: withBit(done[engine] ?? '', number),
})

const countResult = (
  tables: ResearchTables,
  { researcher, researchedAt, repeat, matches, effect, at }: Result,
) => {
  const hit = matches.length > 0 ? 1 : 0
  const isLate = effect.kind === 'none' && (effect.because === 'expired' || effect.because === 'ended')
  countHour(tables, at, {
    researched: repeat ? 0 : 1,
    repeats: repeat ? 1 : 0,
    found: repeat ? 0 : hit,
    late: isLate ? 1 : 0,
    intakeSeconds: Math.max(0, millisBetween(researchedAt, at)) / SECOND,
  })
  changeResearcher(tables, researcher, ({ results, found }) => ({
    results: (results ?? 0) + 1,
    found: (found ?? 0) + hit,
    lastResultAt: at,
  }))
}

/** X9: reopens the pairs of these engines and clips; findings stay. */
export const reopen = (
  tables: ResearchTables,
  event: RecordedEvent,
  { engines, clips }: DataOf<'Reopened'>,
): void => {
  const row = episodeResultsOf(tables, idOf(event.stream))
  const numbers = clips?.flatMap((clip) => tables['research-clip-results'].get(clip)?.number ?? [])
  const done: Record<string, string> = {}
  let researched = 0
  for (const [engine, bits] of Object.entries(row.done)) {
    const left = engines && !engines.includes(engine) ? bits : withoutAll(bits, numbers)
    if (left === '') continue
    done[engine] = left
    researched += countBits(left)
  }
  tables['research-episode-results'].put({ ...row, done, researched })
}

const withoutAll = (bits: string, numbers: readonly number[] | undefined): string =>
  numbers === undefined ? '' : numbers.filter((n) => holdsBit(bits, n)).reduce(withoutBit, bits)
