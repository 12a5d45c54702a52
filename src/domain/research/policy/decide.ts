import * as E from 'fp-ts/lib/Either.js'
import { decode } from '../../kernel/codecs.ts'
import type { Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { policyCategory } from '../terms.ts'
import type { PlaceCurator, PolicyCommand, RequestReopen, SetPolicy } from './commands.ts'
import { type PolicyEvent, policyEvents } from './events.ts'
import { Policy, whyRejected } from './policy.ts'
import { evolve, initial, type PolicyState } from './state.ts'

export { policyOf } from './state.ts'

interface PolicyRejection extends Rejection {
  readonly code: 'unfit-policy'
}

type Decision = E.Either<PolicyRejection, readonly PolicyEvent[]>

const decide = (command: PolicyCommand, state: PolicyState): Decision => {
  const { type, reason, at } = command
  switch (type) {
    case 'SetPolicy':
      return setPolicy(command, state)
    case 'Pause':
      return E.right(state.paused ? [] : [{ type: 'AssigningPaused', data: { reason, at } }])
    case 'Resume':
      return E.right(state.paused ? [{ type: 'AssigningResumed', data: { reason, at } }] : [])
    case 'PinCurator':
    case 'UnpinCurator':
    case 'ExcludeCurator':
    case 'IncludeCurator':
      return E.right(placeCurator(command, state))
    case 'ReleaseWaitingClips':
      return E.right([{ type: 'WaitingClipsReleased', data: { reason, at } }])
    case 'RequestReopen':
      return E.right([requested(command)])
  }
}

const placeCurator = (
  { type, curator, formerly, reason, at }: PlaceCurator,
  state: PolicyState,
): readonly PolicyEvent[] =>
  [curator, ...(formerly === undefined ? [] : [formerly])].flatMap((name) =>
    placed(type, { curator: name, reason, at }, state),
  )

const placed = (
  type: PlaceCurator['type'],
  data: Pick<PlaceCurator, 'curator' | 'reason' | 'at'>,
  { pinnedCurators, excludedCurators }: PolicyState,
): readonly PolicyEvent[] => {
  const { curator } = data
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

/** Settings that do not work together are rejected (L27, X14). */
const setPolicy = (command: SetPolicy, { version, policy: before }: PolicyState): Decision => {
  const { reason, at } = command
  const merged = decode(Policy, merge(before, command.policy))
  if (E.isLeft(merged)) return invalid(merged.left)
  const policy = merged.right
  const why = whyRejected(policy)
  if (why !== undefined) return invalid(why)
  return E.right(
    isSame(policy, before) ? [] : [{ type: 'PolicySet', data: { version: version + 1, policy, reason, at } }],
  )
}

/** Whole, unless a required setting is taken away: its codec says so. */
const merge = (before: Policy, changes: SetPolicy['policy']): Readonly<Record<string, unknown>> => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const merged = { ...before, ...Object.fromEntries(given) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

const isSame = (one: Policy, other: Policy): boolean => {
  const values = new Map<string, unknown>(Object.entries(other))
  const entries = Object.entries(one)
  return entries.length === values.size && entries.every(([name, value]) => values.get(name) === value)
}

const requested = ({ engines, clips, reason, at }: RequestReopen): PolicyEvent => ({
  type: 'ReopenRequested',
  data: {
    reason,
    at,
    ...(engines !== undefined && { engines: [...engines] }),
    ...(clips !== undefined && { clips: [...clips] }),
  },
})

const invalid = (why: string): Decision =>
  E.left({ code: 'unfit-policy', message: `these settings do not work: ${why}; nothing was changed` })

/** The policy: what people decide for all of research. */
export const policyDecider: Decider<PolicyState, PolicyCommand, PolicyEvent, PolicyRejection> = {
  category: policyCategory,
  events: policyEvents,
  initial,
  evolve,
  decide,
}
