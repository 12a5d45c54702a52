import type { Either } from 'fp-ts/lib/Either.js'
import type { Rebuilds } from '../app/rebuilds.ts'
import type { System } from '../app/system.ts'
import type { PastViews, Point, ViewStore } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { RunningProjections } from '../projections/runtime/runner.ts'
import type { DetailedProblem } from './http/refuse.ts'

/** Asks views as they were at a point of the log. They are closed when `ask` is done, which may be called twice. */
export type AskPast = <A>(
  projection: Projection,
  at: Point,
  signal: AbortSignal,
  ask: (views: ViewStore | PastViews) => Either<DetailedProblem, A> | Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** Does the work; Left where too many others are at it. */
export type FewAtOnce = <A>(
  work: () => Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** What routes need of the roles that run in this process. */
interface RunningParts {
  readonly projections?: Pick<RunningProjections, 'status'> | undefined
  /** Why consumer groups take no messages before a person has acted, a sentence each. */
  readonly whyBlocked?: () => readonly string[]
  /** Why workers claim nothing before a person has acted, a sentence each. */
  readonly whyIdle?: () => readonly string[]
  /** What the roles wait for before they begin, as a sentence. */
  readonly waitsFor?: () => string | undefined
  /** What is damaged in the log, as far as it was checked. */
  readonly logDamage?: () => string | undefined
  /** Calls back after each fold of views. Returns how to stop that. */
  readonly onViewChange: (listener: () => void) => () => void
}

export interface ApiOptions {
  /** Absent where this process only serves HTTP: views are then polled. */
  readonly running?: RunningParts
  /** How long a question may wait for views to reach a position. */
  readonly patienceMillis?: number
  /** Silence after which a stream sends a heartbeat. */
  readonly heartbeatMillis?: number
  /** Positions that views may be behind the log and still count as ready. */
  readonly smallLag?: number
  /** Where the page's files are; those of `npm run dashboard:build` unless said. */
  readonly pageFolder?: string
  /** Enters a browser once within an hour, in place of the token. */
  readonly ticket?: string
}

export interface ApiContext extends Required<Omit<ApiOptions, 'running' | 'ticket' | 'pageFolder'>> {
  readonly system: System
  readonly running: RunningParts | undefined
  readonly rebuilds: Rebuilds
  readonly askPast: AskPast
  /** For questions about the past that views do not answer. */
  readonly fewAtOnce: FewAtOnce
}

/** All routes start so, but for those of monitoring and the first page. */
export const v1 = '/api/v1'
