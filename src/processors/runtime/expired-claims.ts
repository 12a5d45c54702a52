import { watchSilence } from '../../async/silence.ts'
import type { Command } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { LockMark } from '../../domain/kernel/leader-lease.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Ending, ExpireClaim } from '../../domain/kernel/task.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { TaskStream } from './claim.ts'
import type { Route } from './processor.ts'
import { routeTo } from './route.ts'
import type { Overdue, Passed } from './ticker.ts'

/** A claim as a view shows it. */
interface ClaimRow {
  readonly fence: number
  readonly deadline: string
  readonly holder?: string
  /** Lock of the holder's process; null, or absent, if it has none. */
  readonly lock?: LockMark | null
}

export interface HeldClaim extends ClaimRow {
  /** Names the task. */
  readonly name: string
  readonly route: (command: ExpireClaim) => Route
}

export const heldClaim = <S, C extends Command, E extends DomainEvent, R extends Rejection, L>(
  name: string,
  { decider, stream, keep }: TaskStream<S, C, E, R, L>,
  row: ClaimRow,
): HeldClaim => ({ ...row, name, route: (command) => routeTo(decider, stream, keep(command)) })

/** A page of claims, the earliest deadlines first. `Column`: that of the deadline. */
interface ClaimQuery<Column extends string> {
  readonly where: readonly [Condition<Column>]
  readonly orderBy: readonly [{ readonly column: Column }]
  readonly limit: number
}

export interface ExpiryDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long a claim lasts without a sign of life. Only a clock that ran ahead sets a later deadline. */
  readonly claimMillis: number
  /** Absent: no claim has a lock. */
  readonly processLock?: Pick<ProcessLock, 'hasEnded'> | undefined
}

interface ViewOfClaims<Column extends string> {
  readonly name: string
  readonly column: Column
  readonly claims: (query: ClaimQuery<Column>) => readonly HeldClaim[]
}

const pageSize = 500

/**
 * Expires claims whose deadline has passed, and those whose holder's process has ended. A deadline further ahead than a
 * claim lasts comes from a clock that ran ahead: such a claim expires once its holder was silent for that long.
 */
export const expiredClaimsOf = <const Column extends string>(
  { clock, claimMillis, processLock }: ExpiryDependencies,
  { name, column, claims: claimsOf }: ViewOfClaims<Column>,
): Overdue => {
  const silenceOf = watchSilence(clock)
  const claims = (is: '<=' | '>', value: string) =>
    claimsOf({ where: [{ column, is, value }], orderBy: [{ column }], limit: pageSize })

  /** Tests each lock once, however many claims share it. */
  const ended = (at: string): readonly HeldClaim[] => {
    if (!processLock) return []
    const known = new Map<string, boolean>()
    return claims('>', at).filter(({ lock }) => {
      if (!lock) return false
      const hasEnded = known.get(lock.file) ?? processLock.hasEnded(lock)
      known.set(lock.file, hasEnded)
      return hasEnded
    })
  }

  const silent = (at: string): readonly Passed[] =>
    silenceOf(claims('>', addMillis(at, claimMillis)), (one) => [one.name, `${one.fence}/${one.deadline}`])
      .filter(([, millis]) => millis >= claimMillis)
      .map(([claim, millis]) => {
        const { fence, deadline } = claim
        return expiry(claim, { at, silence: { fence, deadline, millis } })
      })

  return {
    name,
    passed: async (at) => [
      ...claims('<=', at).map((claim) => expiry(claim, { at })),
      ...ended(at).map((claim) => expiry(claim, { at, endedHolder: claim.holder })),
      ...silent(at),
    ],
  }
}

const expiry = ({ name, fence, route }: HeldClaim, ending: Ending): Passed => ({
  route: route({ type: 'ExpireClaim', actor: 'ticker', ...ending }),
  causationId: expiryOf(name, fence),
})

/** Causation id of an expiry: the same in all processes, so that a claim expires once. */
export const expiryOf = (task: string, fence: number): string => `expiry/${task}/${fence}`
