import { type Either, map, right } from 'fp-ts/lib/Either.js'
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

export type ClipRejection = CurationRejection

type Decision = Either<ClipRejection, readonly ClipEvent[]>

export const decide = (command: ClipCommand, state: ClipState): Decision => {
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
  map((events: readonly CurationEvent[]): readonly ClipEvent[] =>
    failures.count > 0 && mediaMoved(curation, events)
      ? [...events, { type: 'Retried', data: { reason: movedReason, at: command.at } }]
      : events,
  )(decideCuration(command, curation, 'clip'))

/** Also of a clip that no curator has seen yet: a fact is a fact. */
const fail = (
  { stage, error, episode, researcher, policy, at }: FailClip,
  { failures }: ClipState,
): Decision =>
  right([
    {
      type: 'ClipFailed',
      data: { stage, error, episode, researcher, at, ...failedAgain(failures, policy, at) },
    },
  ])

const retry = ({ reason, at }: RetryClip, { curation, failures }: ClipState): Decision => {
  if (failures.count > 0) return right([{ type: 'Retried', data: { reason, at } }])
  return curation ? right([]) : neverCurated('clip')
}

const recover = ({ at }: RecoverClip, { failures }: ClipState): Decision =>
  right(failures.count > 0 ? [{ type: 'Retried', data: { reason: hadReason, at } }] : [])

/** One clip: its curation, and the failures of its own media. */
export const clipDecider: Decider<ClipState, ClipCommand, ClipEvent, ClipRejection> = {
  category: clipCategory,
  events: clipEvents,
  initial,
  evolve,
  decide,
}
