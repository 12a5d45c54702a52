import type { Finding } from '@fonds/sound'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { clip } from '../../domain/kernel/clip.ts'
import { decode } from '../../domain/kernel/codecs.ts'
import {
  ClipResearchedMessage,
  type ResearchFailedMessage,
  type Stage,
  type Subject,
} from '../../domain/research/result-messages.ts'
import type { Engine, Gaps } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Job } from './job.ts'
import type { Recording } from './recording.ts'
import type { WantedClip } from './searcher.ts'

/** A message for the results topic. */
export type Report =
  | { readonly type: 'clip.researched'; readonly data: ClipResearchedMessage }
  | { readonly type: 'research.failed'; readonly data: ResearchFailedMessage }
  | {
      readonly type: 'lease.released'
      readonly data: {
        readonly lease: string
        readonly episode: string
        readonly researcher: string
        readonly releasedAt: string
        readonly reason: string
      }
    }

export interface Failure {
  readonly subject: Subject
  readonly stage: Stage
  readonly clip?: string
  readonly error: string
}

const maxErrorLength = 2000
const maxNoteLength = 1000

/** Returns the messages of one item: each names its lease (L32). `final` is on the last alone (L35). */
export const reports = (
  { lease, episode }: Pick<Job, 'lease' | 'episode'>,
  {
    researcher,
    engine,
    clock,
  }: { readonly researcher: string; readonly engine: Engine; readonly clock: Clock },
) => {
  const of = { lease, episode, researcher }

  const failed = ({ error, ...failure }: Failure, final: boolean): Report => ({
    type: 'research.failed',
    data: { ...failure, ...of, error: sentence(error, maxErrorLength), failedAt: clock.now(), final },
  })

  const researched = (
    whole: Recording,
    { id, recording }: WantedClip,
    finding: Omit<Finding, 'clip'>,
    final: boolean,
  ): Report => {
    const { matches, bestScore, note, silent } = ofWhatWasDecoded(finding, whole, recording)
    const notes = [note, recording.gaps && clipNote(recording.gaps)].filter((one) => one !== undefined)
    const data: ClipResearchedMessage = {
      ...of,
      clip: id,
      matches: [...matches],
      bestScore,
      episodeDuration: whole.duration,
      clipDuration: recording.duration,
      episodeHash: whole.hash,
      clipHash: recording.hash,
      engine,
      researchedAt: clock.now(),
      final,
      ...(notes.length > 0 && { note: sentence(notes.join('; '), maxNoteLength) }),
      ...(whole.gaps && { gaps: whole.gaps }),
      ...(silent && { silent }),
    }
    return pipe(
      decode(ClipResearchedMessage, data),
      E.match(
        // An invalid message would leave the pair open, to be searched for ever.
        (why) =>
          failed({ ...pairFailure(id), error: `the search returned an impossible outcome: ${why}` }, final),
        (checked) => ({ type: 'clip.researched', data: checked }),
      ),
    )
  }

  const released = (reason: string): Report => ({
    type: 'lease.released',
    data: { ...of, releasedAt: clock.now(), reason: sentence(reason, maxNoteLength) },
  })

  return { failed, researched, released }
}

const pairFailure = (clip: string) => ({ subject: 'pair', stage: 'search', clip }) as const

/** Gaps are silence to the search, and may hide sound: a recording is silent only if all of it was decoded. */
const ofWhatWasDecoded = (
  { silent, ...finding }: Omit<Finding, 'clip'>,
  episode: Recording,
  clip: Recording,
): Omit<Finding, 'clip'> => {
  if (!silent || !{ episode, clip }[silent].gaps) return { ...finding, ...(silent && { silent }) }
  return { ...finding, note: `what can be decoded of the ${silent} has no sound` }
}

/** The clip was searched for with silence in these places. */
const clipNote = ({ duration, places }: Gaps): string => {
  const at = places.map((gap) => `${seconds(gap.offset)} s`).join(', ')
  return `${seconds(duration)} s of the clip cannot be decoded (at ${at}); export it again`
}

const seconds = (nanos: number): string => (nanos / 1e9).toFixed(1)

/** Makes a text that the codec accepts: not empty, well-formed, not too long. */
const sentence = (text: string, longest: number): string => clip(text, longest) || 'no reason was given'
