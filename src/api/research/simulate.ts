import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { count, plural } from '../../domain/kernel/amounts.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { SetPolicy } from '../../domain/research/desk/commands.ts'
import { deskDecider } from '../../domain/research/desk/decide.ts'
import type { Policy } from '../../domain/research/desk/policy.ts'
import type { Board, Outlook } from '../../domain/research/selection/board.ts'
import type { LeaseFacts } from '../../domain/research/simulation/lease-facts.ts'
import { type Fates, fatesOf, termsOf } from '../../domain/research/simulation/lease-fates.ts'

/** What other settings would have meant, and would mean (X14). Times are ISO 8601 UTC. */
export interface SimulationAnswer {
  readonly at: string
  readonly since: string
  /** Those that would change; null: not set. */
  readonly settings: readonly {
    readonly name: string
    readonly present: number | null
    readonly proposed: number | null
  }[]
  readonly past: {
    /** Leases granted since, and how many of them, the latest, were looked at. */
    readonly granted: number
    readonly lookedAt: number
    /** By the settings that each was granted by. */
    readonly actual: Fates
    readonly proposed: Fates
  }
  readonly next: { readonly present: NextItems; readonly proposed: NextItems }
  /** Sentences: what is an estimate, and what this cannot tell. */
  readonly notes: readonly string[]
}

export interface NextItems extends Outlook {
  /** The first items, with the number of their clips. */
  readonly upcoming: readonly { readonly episode: string; readonly clips: number }[]
}

/** Leases gone through: of hundreds of thousands, the latest will do. */
export const mostLeases = 2000

export interface SimulationQuestion {
  readonly at: string
  readonly since: string
  /** Upcoming items told. */
  readonly most: number
}

/** The settings as they would be, or why `research.set-policy` would refuse them. */
export const proposedPolicy = (
  board: Board,
  changes: SetPolicy['policy'],
  at: string,
): Either<Rejection, Policy> => {
  const before = board.policy()
  const command = {
    type: 'SetPolicy',
    policy: changes,
    actor: 'simulation',
    reason: 'simulation',
    at,
  } as const
  const decided = deskDecider.decide(command, { ...deskDecider.initial, ...before })
  if (isLeft(decided)) return left(decided.left)
  const set = decided.right.find((event) => event.type === 'PolicySet')
  return right(set?.data.policy ?? before.policy)
}

/** Under the settings proposed, beside what was and is. The board is brought to the time that is asked about. */
export const simulationAnswer = (
  board: Board,
  policy: Policy,
  past: { readonly granted: number; readonly leases: readonly LeaseFacts[] },
  { at, since, most }: SimulationQuestion,
): SimulationAnswer => {
  board.advance(at)
  const settings = changesOf(board.policy().policy, policy)
  const { granted, leases } = past
  const proposed = fatesOf(leases, () => policy, at)
  return {
    at,
    since,
    settings,
    past: { granted, lookedAt: leases.length, actual: fatesOf(leases, termsOf, at), proposed },
    next: { present: nextItems(board, most), proposed: nextItems(board.under(policy), most) },
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

const nextItems = (board: Board, most: number): NextItems => ({
  ...board.outlook(),
  upcoming: board.upcoming(most).map(({ episode, clips }) => ({ episode, clips: clips.length })),
})

const pastNotes = (
  granted: number,
  leases: readonly LeaseFacts[],
  { items: { unknown } }: Fates,
  settings: Settings,
): readonly string[] => {
  if (granted === 0) return ['no lease was granted in that time: the past tells nothing']
  const words = leases.flatMap(({ signs }) => signs.filter(({ by }) => by === 'word')).length
  const isOfLeases = settings.some(({ name }) => name === 'leaseSeconds')
  return [
    ...(leases.length < granted
      ? [
          `of ${plural(granted, 'lease')} granted since then the latest ${count(leases.length)} were looked at`,
        ]
      : []),
    'an estimate: researchers are taken to have come and reported when they did, and leases to have had the clips they had',
    ...(words > 0 && isOfLeases
      ? [
          `${plural(words, 'time')} a researcher said that work goes on, as ours do when half of a lease has passed: of a ` +
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
