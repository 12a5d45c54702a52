import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { v5 as uuid } from 'uuid'
import { orThrow } from '../../../async/unavailable.ts'
import { reportDecider } from '../../../domain/fixity/reports/decide.ts'
import { reportStream } from '../../../domain/fixity/reports/events.ts'
import { addressesIn, isMailAddress, withReferences } from '../../../domain/kernel/person.ts'
import {
  beginningOf,
  endOf,
  parseReports,
  type ReportSchedule,
} from '../../../domain/kernel/report-schedule.ts'
import { MINUTE, SECOND } from '../../../domain/kernel/time.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import { addressesOf, referencesOfMail, withoutAddress } from '../../persons.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { viewsAreCurrent } from '../current-views.ts'
import { pollWhileLeading } from '../poll-while-leading.ts'
import { addedToSettings } from './added-to-settings.ts'
import { reportMail } from './report-mail.ts'

export interface ReportingContext
  extends Pick<
    WorkflowContext,
    'viewStore' | 'eventStore' | 'states' | 'execute' | 'clock' | 'log' | 'config' | 'people'
  > {
  readonly mailer: Mailer | undefined
}

interface Term {
  readonly isLeader: () => boolean
}

/** After taking the lead: what was missed while nothing ran does not wait for the next look. */
const firstMillis = SECOND
const pollMillis = 30 * SECOND
/** A mail server that does not take a report is asked again after this time. */
const againMillis = 15 * MINUTE
/** After a long stop, more missed reports of a schedule are left out: the oldest ones. */
const maxMissed = 12

const namespace = '0a9d9f46-2d1c-5a55-8d51-5b1d6f2a7c31'

/**
 * Mails the reports of the setting `reports` as their periods end, as long as this process leads. A report is recorded
 * behind its sending: after a crash in between it is sent again, with the same id.
 */
export const startReporting = (context: ReportingContext, term: Term): { stop(): Promise<void> } => {
  const { clock, log } = context
  return pollWhileLeading({ clock, firstMillis, pollMillis, ...term }, async (signal) => {
    const isDone = await sendDue(context, term).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot send the reports that are due; trying again')
      return false
    })
    if (!isDone) await clock.sleep(againMillis, signal)
  })
}

/** Returns whether all that is due was sent. Throws `UnavailableError`. */
export const sendDue = async (context: ReportingContext, term: Term): Promise<boolean> => {
  // Settings of the log change while this runs.
  const { reports } = context.config
  let isDone = true
  for (const schedule of (reports === undefined ? undefined : parseReports(reports)) ?? [])
    isDone = (await sendOne(context, schedule, term)) && isDone
  return isDone
}

const sendOne = async (
  context: ReportingContext,
  schedule: ReportSchedule,
  { isLeader }: Term,
): Promise<boolean> => {
  const { states, clock } = context
  const { period, text } = schedule
  const id = uuid(text, namespace)
  const stream = reportStream(id)
  const { state } = await orThrow(() => states.load(reportDecider, stream), 'the sent reports')
  const now = clock.now()
  const current = beginningOf(period, now)
  const actor = `fixity@${hostname()}`
  const until = endOf(period, current)
  if (state === undefined || state.done > until) {
    const command = {
      ...({ type: 'ScheduleReport', schedule: await inLog(context, text) } as const),
      ...{ since: current, until, actor, at: now },
    }
    await orThrow(
      () => context.execute(reportDecider, { stream, command, causationId: `scheduled/${id}/${now}` }),
      'the schedule of a report',
    )
    return true
  }
  const { done, begunAt } = state
  if (beginningOf(period, done) >= current) return true
  const from = await wantedFrom(context, schedule, done)
  for (const since of missed(period, from, current)) {
    if (!isLeader()) return true
    if (!(await send(context, schedule, { id, stream, since, begunAt, actor }))) return false
  }
  return true
}

/** A schedule that was taken out of the settings of the log, and put back, has no reports of the time between. */
const wantedFrom = async (
  { eventStore }: ReportingContext,
  { period, text }: ReportSchedule,
  done: string,
): Promise<string> => {
  const addedAt = await addedToSettings({ eventStore }, text)
  const wanted = addedAt === undefined ? done : beginningOf(period, addedAt)
  return wanted > done ? wanted : done
}

/** Beginnings of the periods that have ended since, the oldest first. */
const missed = (period: ReportSchedule['period'], done: string, current: string): readonly string[] => {
  const found: string[] = []
  for (let at = beginningOf(period, done); at < current; at = endOf(period, at)) {
    found.push(at)
    if (found.length > maxMissed) found.shift()
  }
  return found
}

/** The schedule with references in the place of mail addresses: one that a variable gives has these. */
const inLog = async (context: ReportingContext, schedule: string): Promise<string> =>
  withReferences(schedule, await referencesOfMail(context, addressesIn(schedule)))

interface Due {
  readonly id: string
  readonly stream: string
  readonly since: string
  /** Reports that were mailed while a clock was ahead are others, with ids of their own. */
  readonly begunAt: string
  readonly actor: string
}

const send = async (
  context: ReportingContext,
  { period, to: recipients, store, text: schedule, isAlways }: ReportSchedule,
  { id, stream, since, begunAt, actor }: Due,
): Promise<boolean> => {
  const { viewStore, eventStore, clock, config, mailer, log, execute } = context
  const until = endOf(period, since)
  await viewsAreCurrent({ viewStore, eventStore, clock })
  const at = clock.now()
  const { isWell, ...mail } = reportMail(
    viewStore,
    { period, ...(store !== undefined && { store }) },
    { since, until, now: at, publicUrl: config.publicUrl },
  )
  let accepted: readonly string[] = []
  let refused: readonly string[] = []
  if (!isWell || isAlways) {
    if (!mailer) {
      log.error({ schedule }, 'a report is due, and no mail server is set: set mailServer and mailFrom')
      return false
    }
    const { recipientOf, without } = await addressesOf(context, recipients)
    if (without.length > 0) log.error({ report: id }, withoutAddress(without))
    if (recipientOf.size === 0) return false
    const messageId = `<${uuid(`${schedule} ${until} ${begunAt}`, namespace)}@reports.fonds>`
    const to = [...recipientOf.keys()]
    const sent = await mailer.send({ ...mail, to, messageId })()
    if (E.isLeft(sent) && sent.left.kind !== 'Refused') {
      log.error({ schedule, reason: sent.left.reason }, 'a report was not accepted; sending it again')
      return false
    }
    // Refused by all: the next try would be refused as well.
    if (E.isLeft(sent)) log.error({ schedule, reason: sent.left.reason }, 'the mail server refuses a report')
    const references = await referencesOfMail(context, recipients.filter(isMailAddress))
    const ofAll = (addresses: readonly string[]) =>
      addresses.map((address) => {
        const recipient = recipientOf.get(address) ?? address
        return references.get(recipient) ?? recipient
      })
    accepted = E.isRight(sent) ? ofAll(sent.right.accepted) : []
    refused = ofAll(E.isRight(sent) ? sent.right.refused.map((one) => one.to) : to)
  }
  const report = {
    schedule: await inLog(context, schedule),
    since,
    until,
    subject: mail.subject,
    isWell,
    ...(store !== undefined && { store }),
  }
  const command = {
    ...({ type: 'NoteSent', actor, at: clock.now() } as const),
    sent: { ...report, to: [...accepted], refused: [...refused] },
  }
  await orThrow(
    () => execute(reportDecider, { stream, command, causationId: `${id}/${until}/${at}` }),
    'cannot record that a report was sent',
  )
  return true
}
