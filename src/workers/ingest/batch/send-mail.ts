import * as E from 'fp-ts/lib/Either.js'
import type { TaskContext } from '../../../async/task-context.ts'
import { orThrow } from '../../../async/unavailable.ts'
import { recipientsOf } from '../../../domain/ingest/batch/mail.ts'
import type { DueMail } from '../../../domain/ingest/batch/state.ts'
import { MailAddress } from '../../../domain/ingest/submission.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import {
  fromBare,
  isPersonal,
  personalIn,
  replacePersonal,
  shownPersonal,
  withoutReferences,
} from '../../../domain/kernel/personal.ts'
import { addMillis, MINUTE } from '../../../domain/kernel/time.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Mailer, MailerFailure } from '../../../ports/mailer.ts'
import type { PersonalValues } from '../../../ports/personal-values.ts'
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
  /** Values of those who submitted, and of recipients. */
  readonly personal: Pick<PersonalValues, 'find'>
}

const retryMillis = 5 * MINUTE
const maxErrorLength = 1000

/** X20: the report is saved whether or not its mail is sent. A mail that may have been sent is not sent again. */
export const sendMail = async (
  work: BatchWork,
  reports: StepReports,
  { services, mailer, viewStore, clock, personal }: MailTools,
  context: TaskContext,
): Promise<void> => {
  const { id: batch, fence, mail: due, batch: state } = work
  if (!due) return
  const about = { batch, fence, ...dueIn(due) }
  if (!mailer) {
    await reports.report('mail.failed', { ...about, error: 'no mail server is set; set FONDS_MAIL_SERVER' })
    return
  }
  const recipients = recipientsOf(state.submission, state.profile)
  const composed = composeMail(work, due, viewStore)
  const shown = await shownIn(personal, [...recipients, composed.subject, composed.text])
  /** The recipient of each address, as the submission names it. */
  const recipientOf = new Map(recipients.map((recipient) => [replacePersonal(recipient, shown), recipient]))
  const to = [...recipientOf.keys()].filter(
    (address) => MailAddress.is(address) && !isTypedReference(address),
  )
  const named = (address: string) => recipientOf.get(address) ?? address
  /** Mail servers quote addresses. A reference in their words is none of the archive's. */
  const quoted = (text: string) =>
    to.reduce((words, address) => words.replaceAll(address, named(address)), withoutReferences(text))
  if (to.length === 0) {
    await reports.report('mail.failed', {
      ...about,
      error: 'the addresses that it would go to are erased, or are none',
    })
    return
  }
  const mail = {
    ...composed,
    subject: replacePersonal(composed.subject, shown),
    text: replacePersonal(composed.text, shown),
  }
  if (!(await services.startMail(work, due))) return
  const sent = await keepGoing(context, () => mailer.send({ ...mail, to })())
  if (E.isRight(sent)) {
    const { accepted, refused } = sent.right
    return reports.report('mail.sent', {
      ...about,
      to: accepted.map(named),
      messageId: mail.messageId,
      ...(refused.length > 0 && {
        refused: refused.map(({ to, reason }) => ({ to: named(to), reason: reasonText(quoted(reason)) })),
      }),
    })
  }
  const { error, isOver } = wordsOf({ ...sent.left, reason: quoted(sent.left.reason) })
  const retryAt = addMillis(clock.now(), retryMillis)
  await reports.report('mail.failed', { ...about, error, ...(!isOver && { retryAt }) })
}

/** Returns how each reference is shown. Throws `UnavailableError`: the mail then waits. */
const shownIn = async (
  personal: MailTools['personal'],
  texts: readonly string[],
): Promise<(reference: string) => string> => {
  const values = await orThrow(personal.find(personalIn(texts.join('\n'))), 'personal values')
  return (reference) => shownPersonal(reference, values.get(reference))
}

/** A reference that somebody typed as an address leads to nobody. */
const isTypedReference = (address: string): boolean => isPersonal(fromBare(address))

const dueIn = ({ mail, report }: DueMail) => ({ mail, ...(report !== undefined && { report }) })

const reasonText = (reason: string): string =>
  clip(reason, maxErrorLength) || 'the mail server did not say why'

const wordsOf = (failure: MailerFailure): { readonly error: string; readonly isOver: boolean } => {
  const reason = reasonText(failure.reason)
  if (failure.kind === 'Uncertain') return { error: `it may have been sent: ${reason}`, isOver: true }
  return { error: reason, isOver: failure.kind === 'Refused' }
}
