import { ended, evolveClaims, isClaimEvent, type StepClaims, unclaimed } from '../claim.ts'
import type { SubmissionType } from '../payload.ts'
import type { Profile } from '../profile/profile.ts'
import type { Runs } from '../runs.ts'
import type { Submission } from '../submission.ts'
import type { BatchState } from '../transitions.ts'
import type { BatchEvent, MailKind } from './events.ts'
import { type Jobs, newJobs, noted } from './jobs.ts'

/** A mail that is to be sent. */
export interface DueMail {
  readonly mail: MailKind
  readonly report?: number | undefined
  /** Earliest time of sending; absent: at once. */
  readonly notBefore?: string
  /** Time at which it was put off. */
  readonly since?: string
}

/** The last report, to find later changes. */
export interface LastReport {
  readonly report: number
  readonly completed: Runs
  readonly failed: Runs
  readonly deleted: Runs
}

/** State for decisions about one batch. */
export interface Batch {
  readonly submission: Submission
  readonly profile: Profile
  readonly number?: number
  readonly state: BatchState
  readonly claims: StepClaims
  /** Number of objects that the claim with this fence has listed. */
  readonly listing?: { readonly fence: number; readonly objects: number }
  /** The payload was read to its end; the jobs are being created, or exist. */
  readonly read?: { readonly fence: number; readonly count: number; readonly type: SubmissionType }
  readonly jobs?: Jobs
  readonly firstJob?: number
  readonly lastReport?: LastReport
  readonly mails: readonly DueMail[]
  /** A mail that is being sent. */
  readonly sending?: DueMail
}

/** Undefined until it is submitted. */
export type BatchOrNone = Batch | undefined

export const evolve = (batch: BatchOrNone, event: BatchEvent): BatchOrNone => {
  if (event.type === 'BatchSubmitted') {
    const { submission, profile } = event.data
    return { submission, profile, state: 'pending', claims: unclaimed, mails: [] }
  }
  if (!batch) return batch
  return isClaimEvent(event)
    ? { ...batch, claims: evolveClaims(batch.claims, event) }
    : after(batch, event as Exclude<BatchEvent, { type: 'BatchSubmitted' }>)
}

const after = (batch: Batch, { type, data }: Exclude<BatchEvent, { type: 'BatchSubmitted' }>): Batch => {
  switch (type) {
    case 'BatchNumbered':
      return { ...batch, number: data.number }
    case 'BatchMoved':
      return moved(batch, data)
    case 'ObjectsListed':
      return { ...batch, listing: { fence: data.fence, objects: data.from + data.objects.length } }
    case 'PayloadRead': {
      const { listing: _, ...rest } = batch
      const { fence, count } = data
      const read = { fence, count, type: data.type }
      return { ...rest, claims: ended(batch.claims), read, jobs: newJobs(count) }
    }
    case 'JobsNoted':
      return batch.jobs ? { ...batch, jobs: noted(batch.jobs, data) } : batch
    case 'ReportSaved': {
      const { report, completed, failed, deleted, mail } = data
      const mails: readonly DueMail[] = mail ? [...batch.mails, { mail: 'report', report }] : batch.mails
      return { ...batch, lastReport: { report, completed, failed, deleted }, mails }
    }
    case 'MailStarted':
      return { ...batch, sending: { mail: data.mail, report: data.report } }
    case 'MailSent':
      return mailEnded(batch, data)
    case 'MailFailed': {
      const over = mailEnded(batch, data)
      const { mail, report, retryAt, at } = data
      return retryAt === null
        ? over
        : { ...over, mails: [...over.mails, { mail, report, notBefore: retryAt, since: at }] }
    }
    default:
      return batch
  }
}

type BatchMoved = Extract<BatchEvent, { type: 'BatchMoved' }>['data']

/** Every move of a batch ends its claim. A deleted batch has no mails. */
const moved = (batch: Batch, { to, firstJob, mail }: BatchMoved): Batch => ({
  ...batch,
  state: to,
  claims: ended(batch.claims),
  mails: to === 'deleted' ? [] : mail ? [...batch.mails, { mail }] : batch.mails,
  ...(firstJob !== undefined && { firstJob }),
})

const mailEnded = ({ sending: _, ...batch }: Batch, mail: DueMail): Batch => ({
  ...batch,
  claims: ended(batch.claims),
  mails: batch.mails.filter((due) => !isSameMail(due, mail)),
})

export const isSameMail = (one: DueMail | undefined, other: DueMail): boolean =>
  one?.mail === other.mail && one.report === other.report
