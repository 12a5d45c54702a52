import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { addMillis, SECOND } from '../../kernel/time.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type DropEvent, dropEvents } from './events.ts'

/** From the first notification until the place is listed: those that come meanwhile are one event with it. */
export const sightedMillis = 5 * SECOND

export type DropCommand = Command &
  (
    | { readonly type: 'SightDrops' }
    /** `reason`: why something was not submitted; absent: all was. */
    | { readonly type: 'ReportDrops'; readonly reason?: string | undefined }
  )

export interface DropState {
  readonly sightedAt?: string
  readonly reason?: string
}

const evolve = ({ reason, ...state }: DropState, { type, data }: DropEvent): DropState => {
  switch (type) {
    case 'DropsSighted':
      return { ...state, ...(reason !== undefined && { reason }), sightedAt: data.at }
    case 'DropsRefused':
      return { ...state, reason: data.reason }
    case 'DropsAccepted':
      return state
  }
}

export const dropDecider: Decider<DropState, DropCommand, DropEvent, IngestRejection> = {
  category: categories.drop,
  events: dropEvents,
  initial: {},
  evolve,
  decide: (command, { sightedAt, reason }) => {
    const { at } = command
    if (command.type === 'SightDrops') {
      const isDue = sightedAt !== undefined && at >= sightedAt && at < addMillis(sightedAt, sightedMillis)
      return E.right(isDue ? [] : [{ type: 'DropsSighted', data: { at } }])
    }
    if (command.reason === reason) return E.right([])
    return E.right([
      command.reason === undefined
        ? { type: 'DropsAccepted', data: { at } }
        : { type: 'DropsRefused', data: { reason: command.reason, at } },
    ])
  },
}
