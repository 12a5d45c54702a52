import type { Command } from '../../kernel/decider.ts'
import type { ClaimTerms, ClaimUpkeep } from '../../kernel/task.ts'
import type { MaxDeaths } from '../claim.ts'
import type { Holds } from '../hold/decide.ts'
import type { ListedObject, PayloadDigest, SubmissionType } from '../payload.ts'
import type { Profile } from '../profile/profile.ts'
import type { RefusedRecipient, Submission } from '../submission.ts'
import type { BatchTask } from '../views.ts'
import type { MailKind } from './events.ts'
import type { EndOfJob } from './jobs.ts'

/** I1. The profile as it was looked up; undefined if there is none of that name. */
export interface SubmitBatch extends Command {
  readonly type: 'SubmitBatch'
  readonly submission: Submission
  readonly profile: Profile | undefined
}

export interface NumberBatch extends Command {
  readonly type: 'NumberBatch'
  readonly number: number
}

/**
 * Granted if the events contain `StepClaimed`. A pending batch of a collection on hold is held instead (I3), and a task
 * in which `maxDeaths` holders in a row died is set aside.
 */
export interface ClaimBatch extends Command, ClaimTerms, MaxDeaths {
  readonly type: 'ClaimBatch'
  readonly task: BatchTask
  readonly holds: Holds
}

interface UnderClaim extends Command {
  readonly fence: number
}

export interface ListObjects extends UnderClaim {
  readonly type: 'ListObjects'
  readonly from: number
  readonly objects: readonly ListedObject[]
}

export interface EndListing extends UnderClaim {
  readonly type: 'EndListing'
  readonly count: number
  readonly payloadType: SubmissionType
  readonly digest?: PayloadDigest | undefined
}

export interface FailPayload extends UnderClaim {
  readonly type: 'FailPayload'
  readonly message: string
}

/** All jobs exist. */
export interface OpenBatch extends Command {
  readonly type: 'OpenBatch'
  readonly firstJob: number
}

export interface JobNote {
  /** Position in the batch, from 0. */
  readonly index: number
  readonly end: EndOfJob
  /** Revision of the move in the job's stream. */
  readonly revision: number
}

export interface NoteJobs extends Command {
  readonly type: 'NoteJobs'
  readonly notes: readonly JobNote[]
}

export interface SaveReport extends UnderClaim {
  readonly type: 'SaveReport'
  readonly failures: readonly { readonly job: number; readonly message: string }[]
}

interface OfMail extends UnderClaim {
  readonly mail: MailKind
  readonly report?: number | undefined
}

/** Sent before the first byte goes to the mail server: from here on the mail is not sent again. */
export interface StartMail extends OfMail {
  readonly type: 'StartMail'
}

export interface RecordMail extends OfMail {
  readonly type: 'RecordMail'
  readonly to: readonly string[]
  readonly messageId?: string | undefined
  readonly refused?: readonly RefusedRecipient[] | undefined
}

export interface FailMail extends OfMail {
  readonly type: 'FailMail'
  readonly error: string
  /** Time of the next attempt; undefined: never. */
  readonly retryAt?: string | undefined
}

interface ByPerson extends Command {
  readonly reason: string
}

export interface HoldBatch extends ByPerson {
  readonly type: 'HoldBatch'
}

export interface ReleaseBatch extends ByPerson {
  readonly type: 'ReleaseBatch'
}

/** Its payload is read again. */
export interface ResumeBatch extends ByPerson {
  readonly type: 'ResumeBatch'
}

export interface DeleteBatch extends ByPerson {
  readonly type: 'DeleteBatch'
  readonly confirmed: boolean
}

/** Fails all of its jobs that have not ended, whoever holds them (N15). */
export interface FailJobs extends ByPerson {
  readonly type: 'FailJobs'
  readonly confirmed: boolean
}

export interface UpdateReport extends ByPerson {
  readonly type: 'UpdateReport'
}

/** I16: from a person, or from the system by age. */
export interface SweepBatch extends ByPerson {
  readonly type: 'SweepBatch'
  readonly by: 'admin' | 'system'
}

export type BatchCommand =
  | SubmitBatch
  | NumberBatch
  | ClaimBatch
  | ClaimUpkeep<MaxDeaths>
  | ListObjects
  | EndListing
  | FailPayload
  | OpenBatch
  | NoteJobs
  | SaveReport
  | StartMail
  | RecordMail
  | FailMail
  | HoldBatch
  | ReleaseBatch
  | ResumeBatch
  | DeleteBatch
  | FailJobs
  | UpdateReport
  | SweepBatch
