import * as E from 'fp-ts/lib/Either.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import type { Rejection } from '../../../domain/kernel/rejection.ts'
import type { SetPolicy } from '../../../domain/research/policy/commands.ts'
import { policyDecider } from '../../../domain/research/policy/decide.ts'
import type { Policy } from '../../../domain/research/policy/policy.ts'
import type { SchedulerState } from '../../../domain/research/selection/scheduler-state.ts'
import type { LeaseFacts } from '../../../domain/research/simulation/lease-facts.ts'
import { fatesOf, termsOf } from '../../../domain/research/simulation/lease-fates.ts'
import type { Fates, NextItems, SimulationAnswer } from './simulation-answer.ts'

/** Most leases read: of hundreds of thousands the latest are enough. */
export const maxLeases = 2000

interface SimulationQuestion {
  readonly at: string
  readonly since: string
  /** Most upcoming items. */
  readonly max: number
}

/** The settings as they would be, or why `research.set-policy` would reject them. */
export const proposedPolicy = (
  scheduler: SchedulerState,
  changes: SetPolicy['policy'],
  at: string,
): E.Either<Rejection, Policy> => {
  const before = scheduler.policy()
  const command = {
    type: 'SetPolicy',
    policy: changes,
    actor: 'simulation',
    reason: 'simulation',
    at,
  } as const
  const decided = policyDecider.decide(command, { ...policyDecider.initial, ...before })
  if (E.isLeft(decided)) return E.left(decided.left)
  const set = decided.right.find((event) => event.type === 'PolicySet')
  return E.right(set?.data.policy ?? before.policy)
}

/**
 * Simulates the proposed settings, beside the past and the present ones. Advances the scheduler state to the time of
 * the question.
 */
export const simulationAnswer = (
  scheduler: SchedulerState,
  policy: Policy,
  past: { readonly granted: number; readonly leases: readonly LeaseFacts[] },
  { at, since, max }: SimulationQuestion,
): SimulationAnswer => {
  scheduler.advance(at)
  const settings = changesOf(scheduler.policy().policy, policy)
  const { granted, leases } = past
  const proposed = fatesOf(leases, () => policy, at)
  return {
    at,
    since,
    settings,
    past: { granted, lookedAt: leases.length, actual: fatesOf(leases, termsOf, at), proposed },
    next: { present: nextItems(scheduler, max), proposed: nextItems(scheduler.under(policy), max) },
    notes: [...pastNotes(granted, leases, proposed, settings), ...untold(settings.map(({ name }) => name))],
  }
}

type Settings = SimulationAnswer['settings']

const changesOf = (before: Policy, after: Policy): Settings => {
  const [present, proposed] = [before, after].map((policy) => new Map<string, number>(Object.entries(policy)))
  return [...new Set([...present!.keys(), ...proposed!.keys()])]
    .map((name) => ({
      name,
      present: present!.get(name) ?? null,
      proposed: proposed!.get(name) ?? null,
    }))
    .filter((one) => one.present !== one.proposed)
}

const nextItems = (scheduler: SchedulerState, max: number): NextItems => ({
  ...scheduler.outlook(),
  upcoming: scheduler.upcoming(max).map(({ episode, clips }) => ({ episode, clips: clips.length })),
})

const pastNotes = (
  granted: number,
  leases: readonly LeaseFacts[],
  { items: { unknown } }: Fates,
  settings: Settings,
): readonly string[] => {
  if (granted === 0) return ['no lease was granted in that time: the past tells nothing']
  const extensions = leases.flatMap(({ signs }) => signs.filter(({ by }) => by === 'extension')).length
  const isOfLeases = settings.some(({ name }) => name === 'leaseSeconds')
  return [
    ...(leases.length < granted
      ? [
          `of ${plural(granted, 'lease')} granted since then the latest ${count(leases.length)} were looked at`,
        ]
      : []),
    'an estimate: researchers are taken to have come and reported when they did, and leases to have had the clips they had',
    ...(extensions > 0 && isOfLeases
      ? [
          `${plural(extensions, 'time')} a researcher said that work goes on, as ours do when half of a lease has passed: of a ` +
            'shorter one they would have said so sooner, and fewer would be cut short',
        ]
      : []),
    ...(unknown > 0
      ? [`${plural(unknown, 'item')} lapsed then: whether somebody would have taken them later nobody knows`]
      : []),
  ]
}

const notSimulated = ['gapSeconds', 'presenceSeconds', 'attempts', 'backoffSeconds']

const untold = (changed: readonly string[]): readonly string[] => {
  const names = changed.filter((name) => notSimulated.includes(name))
  return names.length > 0 ? [`what ${names.join(', ')} would change is not simulated`] : []
}
