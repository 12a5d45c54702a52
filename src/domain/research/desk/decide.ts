import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { decode } from '../../kernel/codecs.ts'
import type { Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { deskCategory } from '../terms.ts'
import type { DeskCommand, PlaceCurator, RequestReopen, SetPolicy } from './commands.ts'
import { type DeskEvent, deskEvents } from './events.ts'
import { Policy, policyFault } from './policy.ts'
import { type Desk, evolve, initial } from './state.ts'

export { policyOf } from './state.ts'

export interface DeskRejection extends Rejection {
  readonly code: 'unfit-policy'
}

type Decision = Either<DeskRejection, readonly DeskEvent[]>

export const decide = (command: DeskCommand, desk: Desk): Decision => {
  const { type, reason, at } = command
  switch (type) {
    case 'SetPolicy':
      return setPolicy(command, desk)
    case 'Pause':
      return right(desk.paused ? [] : [{ type: 'AssigningPaused', data: { reason, at } }])
    case 'Resume':
      return right(desk.paused ? [{ type: 'AssigningResumed', data: { reason, at } }] : [])
    case 'PinCurator':
    case 'UnpinCurator':
    case 'ExcludeCurator':
    case 'IncludeCurator':
      return right(placeCurator(command, desk))
    case 'ReleaseWaitingClips':
      return right([{ type: 'WaitingClipsReleased', data: { reason, at } }])
    case 'RequestReopen':
      return right([requested(command)])
  }
}

const placeCurator = (
  { type, curator, reason, at }: PlaceCurator,
  { pinnedCurators, excludedCurators }: Desk,
): readonly DeskEvent[] => {
  const data = { curator, reason, at }
  switch (type) {
    case 'PinCurator':
      return pinnedCurators.has(curator) ? [] : [{ type: 'CuratorPinned', data }]
    case 'UnpinCurator':
      return pinnedCurators.has(curator) ? [{ type: 'CuratorUnpinned', data }] : []
    case 'ExcludeCurator':
      return excludedCurators.has(curator) ? [] : [{ type: 'CuratorExcluded', data }]
    case 'IncludeCurator':
      return excludedCurators.has(curator) ? [{ type: 'CuratorIncluded', data }] : []
  }
}

/** Settings that would not work together never come into force (L27, X14). */
const setPolicy = (command: SetPolicy, { version, policy: before }: Desk): Decision => {
  const { reason, at } = command
  const merged = decode(Policy, merge(before, command.policy))
  if (isLeft(merged)) return unfit(merged.left)
  const policy = merged.right
  const fault = policyFault(policy)
  if (fault !== undefined) return unfit(fault)
  return right(
    isSame(policy, before) ? [] : [{ type: 'PolicySet', data: { version: version + 1, policy, reason, at } }],
  )
}

/** Unless a required one is taken away, which its reader then says. */
const merge = (before: Policy, changes: SetPolicy['policy']): Readonly<Record<string, unknown>> => {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined)
  const merged = { ...before, ...Object.fromEntries(said) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

const isSame = (one: Policy, other: Policy): boolean => {
  const values = new Map<string, unknown>(Object.entries(other))
  const entries = Object.entries(one)
  return entries.length === values.size && entries.every(([name, value]) => values.get(name) === value)
}

const requested = ({ engines, clips, reason, at }: RequestReopen): DeskEvent => ({
  type: 'ReopenRequested',
  data: {
    reason,
    at,
    ...(engines !== undefined && { engines: [...engines] }),
    ...(clips !== undefined && { clips: [...clips] }),
  },
})

const unfit = (fault: string): Decision =>
  left({ code: 'unfit-policy', message: `these settings do not work: ${fault}; nothing was changed` })

/** What people decide for the whole of the work. */
export const deskDecider: Decider<Desk, DeskCommand, DeskEvent, DeskRejection> = {
  category: deskCategory,
  events: deskEvents,
  initial,
  evolve,
  decide,
}
