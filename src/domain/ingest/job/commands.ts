import type { Command } from '../../kernel/decider.ts'
import type { ClaimTerms, ClaimUpkeep } from '../../kernel/task.ts'
import type { MaxDeaths } from '../claim.ts'
import type { Holds } from '../hold/decide.ts'
import type { WorkState } from '../transitions.ts'
import type { JobChanges, JobFacts } from './facts.ts'

export interface CreateJob extends Command {
  readonly type: 'CreateJob'
  readonly facts: JobFacts
}

/**
 * Granted if the events contain `StepClaimed`. A pending job of a collection on hold is held instead (I20), and a job
 * in whose step `maxDeaths` holders in a row died has failed. `state`: the state that it was found in.
 */
export interface ClaimJob extends Command, ClaimTerms, MaxDeaths {
  readonly type: 'ClaimJob'
  readonly state: WorkState
  readonly holds: Holds
}

/** A worker's result, or the report of another inventory: that one has no claim. */
export interface CompleteStep extends Command {
  readonly type: 'CompleteStep'
  readonly state: WorkState
  readonly fence?: number | undefined
  readonly changes: JobChanges
  /** The worker gives the job back. */
  readonly release?: boolean | undefined
  /** From another inventory: the version that it reports on. */
  readonly version?: number | undefined
}

/** Steps of one worker, under one claim: each is a move of its own, and all of them are made, or none. */
export interface CompleteSteps extends Command {
  readonly type: 'CompleteSteps'
  readonly fence: number
  readonly steps: readonly Pick<CompleteStep, 'state' | 'changes'>[]
  /** The worker gives the job back with the last of them. */
  readonly release?: boolean | undefined
}

export interface FailStep extends Command {
  readonly type: 'FailStep'
  readonly state: WorkState
  readonly fence?: number | undefined
  readonly message: string
  readonly permanent?: boolean | undefined
  readonly ark?: string | undefined
  readonly version?: number | undefined
}

export interface HoldJob extends Command {
  readonly type: 'HoldJob'
  readonly reason: string
}

/** `ifHeld`: in a command for many jobs, those that are not held are left unchanged. */
export interface ReleaseJob extends Command {
  readonly type: 'ReleaseJob'
  readonly reason: string
  readonly ifHeld?: boolean | undefined
}

export interface ResumeJob extends Command {
  readonly type: 'ResumeJob'
  readonly reason: string
  /** The state that the person expects it to continue in. */
  readonly to?: WorkState | undefined
}

export interface DeleteJob extends Command {
  readonly type: 'DeleteJob'
  readonly reason: string
  readonly confirmed: boolean
}

/**
 * Works for any holder and any state of the job. `ifOpen`: in a command for many jobs, those that have ended are left
 * unchanged.
 */
export interface ForceFail extends Command {
  readonly type: 'ForceFail'
  readonly reason: string
  readonly confirmed: boolean
  readonly ifOpen?: boolean | undefined
}

export interface DeleteWithBatch extends Command {
  readonly type: 'DeleteWithBatch'
  readonly row: 'I15' | 'I16'
}

export interface NoteFolderCleaned extends Command {
  readonly type: 'NoteFolderCleaned'
}

export type JobCommand =
  | CreateJob
  | ClaimJob
  | ClaimUpkeep<MaxDeaths>
  | CompleteStep
  | CompleteSteps
  | FailStep
  | HoldJob
  | ReleaseJob
  | ResumeJob
  | DeleteJob
  | ForceFail
  | DeleteWithBatch
  | NoteFolderCleaned
