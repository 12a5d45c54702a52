import { map, right } from 'fp-ts/lib/Either.js'
import type { Decider } from '../../kernel/decider.ts'
import { hasClip } from '../clip-set.ts'
import { type CurationEvent, decideCuration, mediaMoved, neverCurated } from '../curating.ts'
import type { CurationCommand } from '../curation-commands.ts'
import { movedReason } from '../failing.ts'
import { episodeCategory } from '../terms.ts'
import type { EpisodeCommand, Judge, Reopen, Retry } from './commands.ts'
import { type EpisodeEvent, episodeEvents } from './events.ts'
import { grant } from './granting.ts'
import { extend, notePassed, release, revoke, take } from './holding.ts'
import type { Decision, EpisodeRejection, EpisodeResult } from './rejections.ts'
import { fail, report } from './reporting.ts'
import { type Done, type EpisodeState, evolve, initial, placeKey } from './state.ts'

const decide = (command: EpisodeCommand, state: EpisodeState): Decision => {
  switch (command.type) {
    case 'Grant':
      return grant(command, state)
    case 'Take':
      return take(command, state)
    case 'Report':
      return report(command, state)
    case 'Fail':
      return fail(command, state)
    case 'Extend':
      return extend(command, state)
    case 'Release':
      return release(command, state)
    case 'Revoke':
      return revoke(command, state)
    case 'NoteExpired':
    case 'NoteLapsed':
      return notePassed(command, state)
    case 'Retry':
      return retry(command, state)
    case 'Reopen':
      return reopen(command, state)
    case 'Judge':
      return judge(command, state)
    default:
      return curate(command, state)
  }
}

const curate = (command: CurationCommand, state: EpisodeState): Decision =>
  map((events: readonly CurationEvent[]): readonly EpisodeEvent[] =>
    hasFailures(state) && mediaMoved(state.curation, events)
      ? [...events, { type: 'Retried', data: { reason: movedReason, at: command.at } }]
      : events,
  )(decideCuration(command, state.curation, 'episode'))

const hasFailures = ({ failures, failing, leases }: EpisodeState): boolean =>
  failures.count > 0 || failing.length > 0 || leases.silent > 0

const retry = ({ reason, at }: Retry, state: EpisodeState): Decision => {
  if (hasFailures(state)) return right([{ type: 'Retried', data: { reason, at } }])
  return state.curation ? right([]) : neverCurated('episode')
}

/** An episode that was never curated may be reopened, too: only its results count. */
const reopen = ({ engines, clips, reason, doneBy, at }: Reopen, { researched }: EpisodeState): Decision => {
  const isNew = ([, { since }]: [string, Done]): boolean => doneBy !== undefined && since > doneBy
  const meant = [...researched]
    .filter((each) => !isNew(each))
    .filter(([engine]) => engines === undefined || engines.includes(engine))
    .filter(([, done]) => clips === undefined || clips.some((clip) => hasClip(done.clips, clip)))
    .map(([engine]) => engine)
  if (meant.length === 0) return right([])
  const named = [...researched].some(isNew) ? meant : engines
  const which = { ...(named && { engines: [...named] }), ...(clips && { clips: [...clips] }) }
  return right([{ type: 'Reopened', data: { reason, at, ...which } }])
}

/** Whether the clip was found there is for the views to say: a bit a pair is all that is known here. */
const judge = ({ clip, offset, verdict, reason, at }: Judge, { judged }: EpisodeState): Decision =>
  right(
    judged.get(placeKey(clip, offset)) === verdict
      ? []
      : [{ type: 'FindingJudged', data: { clip, offset, verdict, reason, at } }],
  )

/** One episode: its curation, every lease on its pairs, every result. */
export const episodeDecider: Decider<
  EpisodeState,
  EpisodeCommand,
  EpisodeEvent,
  EpisodeRejection,
  EpisodeResult
> = {
  category: episodeCategory,
  events: episodeEvents,
  initial,
  evolve,
  decide,
}
