import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Decider } from '../../kernel/decider.ts'
import {
  type CurationEvent,
  type CurationRejection,
  decideCuration,
  mediaMoved,
  neverCurated,
} from '../curating.ts'
import type { CurationCommand } from '../curation-commands.ts'
import { failedAgain, hadReason, movedReason } from '../failing.ts'
import { clipCategory } from '../terms.ts'
import type { ClipCommand, FailClip, RecoverClip, RetryClip } from './commands.ts'
import { type ClipEvent, clipEvents } from './events.ts'
import { type ClipState, evolve, initial } from './state.ts'

type ClipRejection = CurationRejection

type Decision = E.Either<ClipRejection, readonly ClipEvent[]>

const decide = (command: ClipCommand, state: ClipState): Decision => {
  switch (command.type) {
    case 'Fail':
      return fail(command, state)
    case 'Retry':
      return retry(command, state)
    case 'Recover':
      return recover(command, state)
    default:
      return curate(command, state)
  }
}

const curate = (command: CurationCommand, { curation, failures }: ClipState): Decision =>
  pipe(
    decideCuration(command, curation, 'clip'),
    E.map((events: readonly CurationEvent[]): readonly ClipEvent[] =>
      failures.count > 0 && mediaMoved(curation, events)
        ? [...events, { type: 'Retried', data: { reason: movedReason, at: command.at } }]
        : events,
    ),
  )

/** A failure counts before any curator has seen the clip, too. */
const fail = (
  { stage, error, episode, researcher, policy, at }: FailClip,
  { failures }: ClipState,
): Decision =>
  E.right([
    {
      type: 'ClipFailed',
      data: { stage, error, episode, researcher, at, ...failedAgain(failures, policy, at) },
    },
  ])

const retry = ({ reason, at }: RetryClip, { curation, failures }: ClipState): Decision => {
  if (failures.count > 0) return E.right([{ type: 'Retried', data: { reason, at } }])
  return curation ? E.right([]) : neverCurated('clip')
}

const recover = ({ at }: RecoverClip, { failures }: ClipState): Decision =>
  E.right(failures.count > 0 ? [{ type: 'Retried', data: { reason: hadReason, at } }] : [])

/** One clip: its curation, and the failures of its own media. */
export const clipDecider: Decider<ClipState, ClipCommand, ClipEvent, ClipRejection> = {
  category: clipCategory,
  events: clipEvents,
  initial,
  evolve,
  decide,
}
