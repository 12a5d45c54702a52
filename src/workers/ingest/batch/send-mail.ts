import * as E from 'fp-ts/lib/Either.js'
import type { TaskContext } from '../../../async/task-context.ts'
import { recipientsOf } from '../../../domain/ingest/batch/mail.ts'
import type { DueMail } from '../../../domain/ingest/batch/state.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import { addMillis, MINUTE } from '../../../domain/kernel/time.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Mailer, MailerFailure } from '../../../ports/mailer.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { IngestServices } from '../services.ts'
import type { StepReports } from '../step-reports.ts'
import { keepGoing } from '../steps/keep-going.ts'
import { composeMail } from './compose-mail.ts'

interface MailTools {
  readonly services: Pick<IngestServices, 'startMail'>
  /** Undefined if no mail server is set. */
  readonly mailer: Mailer | undefined
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
}

const retryMillis = 5 * MINUTE
const maxErrorLength = 1000

/** X20: the report is saved whether or not its mail is sent. A mail that may have been sent is not sent again. */
export const sendMail = async (
  work: BatchWork,
  reports: StepReports,
  { services, mailer, viewStore, clock }: MailTools,
  context: TaskContext,
): Promise<void> => {
  const { id: batch, fence, mail: due, batch: state } = work
  if (!due) return
  const about = { batch, fence, ...named(due) }
  if (!mailer) {
    await reports.report('mail.failed', { ...about, error: 'no mail server is set; set FONDS_MAIL_SERVER' })
    return
  }
  const to = recipientsOf(state.submission, state.profile)
  const mail = composeMail(work, due, viewStore)
  if (!(await services.startMail(work, due))) return
  const sent = await keepGoing(context, () => mailer.send({ ...mail, to })())
  if (E.isRight(sent)) {
    const { accepted, refused } = sent.right
    return reports.report('mail.sent', {
      ...about,
      to: accepted,
      messageId: mail.messageId,
      ...(refused.length > 0 && {
        refused: refused.map(({ to, reason }) => ({ to, reason: reasonText(reason) })),
      }),
    })
  }
  const { error, isOver } = wordsOf(sent.left)
  const retryAt = addMillis(clock.now(), retryMillis)
  await reports.report('mail.failed', { ...about, error, ...(!isOver && { retryAt }) })
}

const named = ({ mail, report }: DueMail) => ({ mail, ...(report !== undefined && { report }) })

const reasonText = (reason: string): string =>
  clip(reason, maxErrorLength) || 'the mail server did not say why'

const wordsOf = (failure: MailerFailure): { readonly error: string; readonly isOver: boolean } => {
  const reason = reasonText(failure.reason)
  if (failure.kind === 'Uncertain') return { error: `it may have been sent: ${reason}`, isOver: true }
  return { error: reason, isOver: failure.kind === 'Refused' }
}
