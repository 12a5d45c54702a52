import type { System } from '../app/system.ts'
import type { RunningProjections } from '../projections/runtime/runner.ts'
import type { AskPast, FewAtOnce } from './past-views.ts'

/** What routes need of the roles at work in this process. */
interface RunningParts {
  readonly projections?: Pick<RunningProjections, 'status'> | undefined
  /** Why consumer groups take nothing until a person has done something. */
  readonly refusals?: () => readonly string[]
  /** What is damaged in the log, as far as it was looked through. */
  readonly logDamage?: () => string | undefined
  /** Calls back after each fold of views; returns the way to stop it. */
  readonly onViewChange: (listener: () => void) => () => void
}

export interface ApiOptions {
  /** Absent where this process only serves HTTP: views are then looked at from time to time. */
  readonly running?: RunningParts
  /** How long a question may wait for views to reach a position. */
  readonly patienceMillis?: number
  /** Silence after which a stream says that it is alive. */
  readonly heartbeatMillis?: number
  /** Positions that views may be behind the log and still count as ready. */
  readonly smallLag?: number
  /** Enters a browser once in the token's place, within an hour. */
  readonly ticket?: string
}

export interface ApiContext extends Required<Omit<ApiOptions, 'running' | 'ticket'>> {
  readonly system: System
  readonly running: RunningParts | undefined
  readonly askPast: AskPast
  /** For questions about the past that views do not answer. */
  readonly fewAtOnce: FewAtOnce
}

/** Where all routes but a few for machines start. */
export const v1 = '/api/v1'
