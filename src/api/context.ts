import type { Either } from 'fp-ts/lib/Either.js'
import type { Rebuilds } from '../app/rebuilds.ts'
import type { System } from '../app/system.ts'
import type { Point, ViewStore, ViewsAsOf } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { RunningProjections } from '../projections/runtime/runner.ts'
import type { DetailedProblem } from './http/refuse.ts'

/** Asks views as they were at a point of the log. They are closed when `ask` is done, which may be called twice. */
export type AskAsOf = <A>(
  projection: Projection,
  at: Point,
  signal: AbortSignal,
  ask: (views: ViewStore | ViewsAsOf) => Either<DetailedProblem, A> | Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** Limits concurrency. Left if too many others run. */
export type FewAtOnce = <A>(
  work: () => Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** Parts of the running roles that routes need. */
interface RunningParts {
  readonly projections?: Pick<RunningProjections, 'status'> | undefined
  /** Returns why consumer groups handle no messages until a person has acted, a sentence each. */
  readonly whyBlocked?: () => readonly string[]
  /** Returns why workers claim nothing until a person has acted, a sentence each. */
  readonly whyIdle?: () => readonly string[]
  /** Returns why the log is not sealed until a person has acted, a sentence each. */
  readonly whyUnsealed?: () => readonly string[]
  /** Returns what the roles wait for before they begin, as a sentence. */
  readonly waitsFor?: () => string | undefined
  /** Returns the known damage of the log, as far as it was checked. */
  readonly logDamage?: () => string | undefined
  /** Calls back after each fold of views. Returns a function that stops this. */
  readonly onViewChange: (listener: () => void) => () => void
}

export interface ApiOptions {
  /** Absent if this process only serves HTTP: views are then polled. */
  readonly running?: RunningParts
  /** How long a question may wait for views to reach a position. */
  readonly patienceMillis?: number
  /** Silence after which a stream sends a heartbeat. */
  readonly heartbeatMillis?: number
  /** Positions that views may be behind the log and still count as ready. */
  readonly smallLag?: number
  /** Folder of the page's files; by default that of `npm run dashboard:build`. */
  readonly pageFolder?: string
  /** Serves the archive's witness. */
  readonly isWitness?: boolean
  /** Starts a browser's session in place of the token: once, within an hour. */
  readonly ticket?: string
}

export interface ApiContext
  extends Required<Omit<ApiOptions, 'running' | 'ticket' | 'pageFolder' | 'isWitness'>> {
  readonly system: System
  readonly running: RunningParts | undefined
  readonly rebuilds: Rebuilds
  readonly askAsOf: AskAsOf
  /** For questions as of a moment that views keep no history of. */
  readonly fewAtOnce: FewAtOnce
}

/** Prefix of all routes, except those of monitoring and the entry page. */
export const v1 = '/api/v1'
