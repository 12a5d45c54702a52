import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence } from '../../kernel/lease.ts'
import { isWaiting } from '../../kernel/waiting.ts'
import type { Profile } from '../profile/profile.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { MailAddress, type Submission } from '../submission.ts'
import type { FailMail, RecordMail, StartMail } from './commands.ts'
import type { BatchEvent, MailKind } from './events.ts'
import { type Batch, type DueMail, isSameMail } from './state.ts'

/* Mails: each is due once, and one that may have been sent is not sent again. */

type Decision = E.Either<IngestRejection, readonly BatchEvent[]>

/**
 * Returns the recipients of a batch's mails: those that the submission names, else the profile's, else its submitter.
 */
export const recipientsOf = (submission: Submission, profile: Profile): readonly string[] => {
  const { notifyTo = profile.notifyTo ?? [], submitter } = submission
  return notifyTo.length > 0 || !MailAddress.is(submitter) ? notifyTo : [submitter]
}

/** True if the profile wants the mail, and there are recipients. "Queued" is sent only if it is requested. */
export const isMailWanted = ({ submission, profile }: Batch, mail: MailKind): boolean => {
  const { notifications = 'partial' } = profile
  const isWanted = mail === 'queued' ? notifications === 'all' : notifications !== 'none'
  return isWanted && recipientsOf(submission, profile).length > 0
}

/** Returns the first mail that may be sent by now. */
export const dueMail = ({ mails }: Pick<Batch, 'mails'>, at: string): DueMail | undefined =>
  mails.find(({ notBefore: until, since }) => until === undefined || !isWaiting({ since, until }, at))

export const startMail = ({ mail, report, fence, at }: StartMail, batch: Batch): Decision =>
  pipe(
    checkFence(batch.claims.lease, fence),
    E.chain((): Decision => {
      const wanted = { mail, report }
      if (isSameMail(batch.sending, wanted)) return E.right([])
      return batch.mails.some((due) => isSameMail(due, wanted))
        ? E.right([{ type: 'MailStarted', data: { ...named(wanted), fence, at } }])
        : reject('nothing-to-do', `no such mail is due: ${mail}${report === undefined ? '' : ` ${report}`}`)
    }),
  )

export const recordMail = (command: RecordMail, batch: Batch): Decision => {
  const { fence, to, messageId, refused = [], at } = command
  return pipe(
    isClaimed(command, batch),
    E.map(() => [
      {
        type: 'MailSent',
        data: {
          ...named(command),
          fence,
          to: [...to],
          at,
          ...(messageId !== undefined && { messageId }),
          ...(refused.length > 0 && { refused: [...refused] }),
        },
      },
    ]),
  )
}

export const failMail = (command: FailMail, batch: Batch): Decision => {
  const { fence, error, retryAt = null, at } = command
  return pipe(
    isClaimed(command, batch),
    E.map(() => [
      { type: 'MailFailed', data: { ...named(command), fence, error, retryAt, uncertain: false, at } },
    ]),
  )
}

/** The worker was not heard of again: it is unknown whether the mail was sent, so it is not sent again. */
export const abandonedMail = ({ sending, claims }: Batch, at: string): readonly BatchEvent[] => {
  if (!sending || !claims.lease) return []
  const { fence, holder } = claims.lease
  const error = `${holder} was sending it and was not heard of again: it may have been sent`
  return [
    { type: 'MailFailed', data: { ...named(sending), fence, error, retryAt: null, uncertain: true, at } },
  ]
}

/** Too many workers died before they began to send the mail: it is not tried again. */
export const setMailAside = (
  batch: Batch,
  { fence, error, at }: { readonly fence: number; readonly error: string; readonly at: string },
): readonly BatchEvent[] => {
  const due = dueMail(batch, at)
  return due
    ? [
        {
          type: 'MailFailed',
          data: { ...named(due), fence, error, retryAt: null, uncertain: false, at },
        },
      ]
    : []
}

const isClaimed = (
  { fence, mail, report }: RecordMail | FailMail,
  { claims, mails }: Batch,
): E.Either<IngestRejection, unknown> =>
  pipe(
    checkFence(claims.lease, fence),
    E.chain((lease): E.Either<IngestRejection, unknown> => {
      const isDue = mails.some((due) => isSameMail(due, { mail, report }))
      return isDue ? E.right(lease) : reject('nothing-to-do', `no such mail is due: ${mail}`)
    }),
  )

const named = ({ mail, report }: DueMail) => ({ mail, ...(report !== undefined && { report }) })
