import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EpisodeEvent } from '../../domain/research/episode/events.ts'
import { type Anomaly, noteAnomaly } from './anomaly-rows.ts'
import type { Result } from './result.ts'
import { episodeResultsOf } from './subject-rows.ts'
import type { ClipResultsRow, EpisodeResultsRow, ResearchTables, Subject } from './tables.ts'

type Failed = Extract<EpisodeEvent, { readonly type: 'ResearchFailed' }>['data']

/** Anomalies of a result; nearly all have none. */
export const noteOddities = (
  tables: ResearchTables,
  event: RecordedEvent,
  result: Result,
  episode: EpisodeResultsRow,
  clip: ClipResultsRow,
): void => {
  if (result.effect.kind === 'none') noteAnomaly(tables, event, withoutLease(result, result.effect.because))
  if (result.outsideLease) noteAnomaly(tables, event, outsideLease(result))
  if (result.notTheHolder) noteAnomaly(tables, event, notTheHolder(result, holderOf(tables, result)))
  if (result.repeat) noteAnomaly(tables, event, repeat(result))
  if (episode.state === 'unknown')
    noteAnomaly(tables, event, unknown(result, 'results', 'episode', episode.episode))
  if (clip.state === 'unknown') noteAnomaly(tables, event, unknown(result, 'results', 'clip', clip.clip))
  const { episodeHash, clipHash } = result
  if (changed(episode.hash, episodeHash))
    noteAnomaly(tables, event, otherMedia(result, 'episode', episode.hash, episodeHash))
  if (changed(clip.hash, clipHash))
    noteAnomaly(tables, event, otherMedia(result, 'clip', clip.hash, clipHash))
}

/** A failure may name episodes and clips that nobody has curated, as a result may (F27). */
export const noteUnknown = (tables: ResearchTables, event: RecordedEvent, failed: Failed): void => {
  const { clip } = failed
  const episode = idOf(event.stream)
  if (episodeResultsOf(tables, episode).state === 'unknown')
    noteAnomaly(tables, event, unknown(failed, 'failures', 'episode', episode))
  // A failure makes no row, and takes no number in bitmaps: only results need one.
  if (clip !== undefined && (tables['research-clip-results'].get(clip)?.state ?? 'unknown') === 'unknown')
    noteAnomaly(tables, event, unknown(failed, 'failures', 'clip', clip))
}

const changed = (before: string | null, now: string | undefined): boolean =>
  before !== null && now !== undefined && before !== now

const withoutLease = (
  { researcher, episode, clip, lease, at }: Result,
  because: 'no-lease' | 'unknown' | 'expired' | 'ended',
): Anomaly => {
  const sentence = `${researcher} reported ${clip} in ${episode}`
  switch (because) {
    case 'no-lease':
      return {
        kind: 'no-lease',
        episode,
        researcher,
        at,
        says: `${sentence} without a lease: kept, but nothing holds its pairs while it works; have it name the lease of its work item.`,
      }
    case 'unknown':
      return {
        kind: 'unknown-lease',
        episode,
        researcher,
        at,
        says: `${sentence} under ${lease}, which was never granted on this episode: kept, and nothing extended; see which work item it is on.`,
      }
    default:
      return {
        kind: 'late',
        episode,
        lease,
        researcher,
        at,
        says: `${sentence} after its lease had ${because === 'ended' ? 'ended' : 'expired'}: kept, and nothing extended; where that is common, raise leaseSeconds, or see what keeps its results.`,
      }
  }
}

const outsideLease = ({ researcher, episode, clip, lease, at }: Result): Anomaly => ({
  kind: 'outside-lease',
  episode,
  lease,
  researcher,
  at,
  says: `${researcher} reported ${clip} in ${episode}, which is not in its lease ${lease}: kept; see that it reports the clips of its work item alone.`,
})

const notTheHolder = ({ researcher, episode, clip, lease, at }: Result, holder: string): Anomaly => ({
  kind: 'not-the-holder',
  episode,
  lease,
  researcher,
  at,
  says: `${researcher} reported ${clip} in ${episode} under ${lease}, which ${holder} has taken: kept; see that no two researchers work on one item, or have one name.`,
})

const holderOf = (tables: ResearchTables, { lease }: Result): string =>
  (lease === undefined ? undefined : tables['research-leases'].get(lease)?.researcher) ?? 'another researcher'

const repeat = ({ researcher, episode, clip, at }: Result): Anomaly => ({
  kind: 'repeat',
  episode,
  researcher,
  at,
  says: `${researcher} reported ${clip} in ${episode}, which was researched already: kept beside the result that counts; where that is common, see whether leases end before the work does.`,
})

const unknown = (
  { researcher, at }: { readonly researcher: string; readonly at: string },
  reported: 'results' | 'failures',
  subject: Subject,
  id: string,
): Anomaly => ({
  kind: `unknown-${subject}`,
  [subject]: id,
  at,
  says: `${researcher} reported ${reported} for the ${subject} ${id}, which no curator has brought: they are kept, and count once it is curated; send it on fonds.research.${subject}s, or mend the id that is reported.`,
})

const otherMedia = (
  { episode, clip, at }: Result,
  subject: Subject,
  before: string | null,
  now: string | undefined,
): Anomaly => {
  const id = subject === 'episode' ? episode : clip
  return {
    kind: 'media-changed',
    [subject]: id,
    at,
    says: `The media of the ${subject} ${id} is not what it was (hash ${now}, before that ${before}): what was found earlier may be elsewhere now; listen, and have it researched again (reopen) if it is.`,
  }
}
