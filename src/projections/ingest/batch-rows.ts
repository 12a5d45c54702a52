import type { BatchEvent } from '../../domain/ingest/batch/events.ts'
import { type DueMail, isSameMail } from '../../domain/ingest/batch/state.ts'
import { collectionOf } from '../../domain/ingest/profile/profile.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { noteMail, refusalOf, saveReport } from './report-rows.ts'
import { noteMove } from './site-rows.ts'
import type { BatchRow, IngestTables } from './tables.ts'

/** Leaves out columns that follow from the others: a worker's next task, and since when it is available. */
type Change = Partial<Omit<BatchRow, 'task' | 'available' | 'mail'>>

const nothing = { task: null, available: null, mail: null } as const

/** Changes the row of a batch; does nothing if there is none. */
export const changeBatch = (
  tables: IngestTables,
  batch: string,
  { recordedAt }: RecordedEvent,
  change: (row: BatchRow) => Change = () => ({}),
): void => {
  const row = tables['ingest-batches'].get(batch)
  if (!row) return
  const changed = { ...row, ...change(row), lastModified: recordedAt }
  tables['ingest-batches'].put({ ...changed, ...nextTask(changed) })
  noteMove(tables, recordedAt, row.site)
}

/** The same for the batch of the event's stream. */
const changeOwn = (tables: IngestTables, event: RecordedEvent, change?: (row: BatchRow) => Change): void =>
  changeBatch(tables, idOf(event.stream), event, change)

const nextTask = (row: BatchRow): Pick<BatchRow, keyof typeof nothing> => {
  const { state, number, read, open, mails, heldUntil, putOffUntil } = row
  const available = heldUntil ?? putOffUntil ?? ''
  if (state === 'pending' && number !== null && read === 0) return { ...nothing, task: 'open', available }
  if ((state === 'reporting' || state === 'update-reporting') && open === 0)
    return { ...nothing, task: 'report', available }
  const due = firstDue(mails)
  if (!due) return nothing
  return { task: 'mail', available: latest(available, due.notBefore ?? ''), mail: due.mail }
}

const firstDue = (mails: readonly DueMail[]): DueMail | undefined =>
  mails.toSorted((one, other) => ((one.notBefore ?? '') < (other.notBefore ?? '') ? -1 : 1))[0]

const latest = (one: string, other: string): string => (one > other ? one : other)

/** Handlers for a batch's row: its facts, its state, and a worker's next task. */
export const batchHandlers: Handlers<BatchEvent, IngestTables> = {
  BatchSubmitted: ({ submission, profile, at }, event, tables) => {
    const { payload, description, submitter, mode } = submission
    tables['ingest-batches'].put({
      batch: idOf(event.stream),
      number: null,
      state: 'pending',
      profile: profile.name,
      collection: collectionOf(profile),
      submitter,
      type: payload.type ?? null,
      mode,
      title: description?.what ?? null,
      submission,
      terms: profile,
      submittedAt: at,
      lastModified: event.recordedAt,
      message: null,
      actor: event.metadata.actor,
      read: 0,
      listed: 0,
      firstJob: null,
      jobs: 0,
      open: 0,
      held: 0,
      completed: 0,
      failed: 0,
      deleted: 0,
      reports: 0,
      ...nothing,
      site: submission.site ?? '',
      putOffUntil: null,
      putOffFor: null,
      mails: [],
      holder: null,
      heldUntil: null,
    })
    noteMove(tables, event.recordedAt, submission.site)
  },
  BatchNumbered: ({ number }, event, tables) => changeOwn(tables, event, () => ({ number })),
  BatchMoved: (data, event, tables) => {
    const { to, message = null, jobs, firstJob, mail } = data
    changeOwn(tables, event, (row) => ({
      ...endOfClaim(tables, row),
      state: to,
      message,
      actor: event.metadata.actor,
      ...(jobs !== undefined && { jobs }),
      ...(firstJob !== undefined && { firstJob }),
      mails: to === 'deleted' ? [] : mail ? [...row.mails, { mail }] : row.mails,
    }))
  },

  ObjectsListed: ({ from, objects }, event, tables) =>
    changeOwn(tables, event, () => ({ listed: from + objects.length })),
  PayloadRead: ({ count, type }, event, tables) =>
    changeOwn(tables, event, (row) => ({ ...endOfClaim(tables, row), read: 1, listed: count, type })),
  // The jobs' own events count their outcomes.
  JobsNoted: (_, event, tables) => changeOwn(tables, event),
  JobsForceFailed: (_, event, tables) => changeOwn(tables, event),

  ReportSaved: (data, event, tables) => {
    const { report, mail } = data
    saveReport(tables, idOf(event.stream), data)
    changeOwn(tables, event, ({ mails }) => ({
      reports: report,
      mails: mail ? [...mails, { mail: 'report', report }] : mails,
    }))
  },
  MailStarted: (_, event, tables) => changeOwn(tables, event),
  MailSent: (data, event, tables) => {
    const error = refusalOf(data.refused)
    noteMail(tables, idOf(event.stream), data.report, { mail: 'sent', mailedAt: data.at, error })
    changeOwn(tables, event, (row) => ({ ...endOfClaim(tables, row), mails: without(row.mails, data) }))
  },
  MailFailed: (data, event, tables) => {
    const { mail, report, retryAt, uncertain, error, at } = data
    const state = uncertain ? 'uncertain' : retryAt === null ? 'failed' : 'due'
    noteMail(tables, idOf(event.stream), report, { mail: state, error })
    const again = retryAt === null ? [] : [{ mail, report, notBefore: retryAt, since: at }]
    changeOwn(tables, event, (row) => ({
      ...endOfClaim(tables, row),
      mails: [...without(row.mails, data), ...again],
    }))
  },

  StepClaimed: ({ state, holder, fence, deadline, lock = null }, event, tables) => {
    const id = idOf(event.stream)
    const since = event.recordedAt
    tables['ingest-claims'].put({ kind: 'batch', id, state, holder, fence, since, deadline, lock })
    changeOwn(tables, event, () => ({ holder, heldUntil: deadline, ...notPutOff }))
  },
  ClaimExtended: ({ deadline }, event, tables) => {
    const claim = tables['ingest-claims'].get('batch', idOf(event.stream))
    if (claim) tables['ingest-claims'].put({ ...claim, deadline })
    changeOwn(tables, event, () => ({ heldUntil: deadline }))
  },
  ClaimReleased: ({ fence, until, reason }, event, tables) => {
    // With another fence, it is a late event of a holder that was taken for dead.
    const isHeld = tables['ingest-claims'].get('batch', idOf(event.stream))?.fence === fence
    const putOff = until === undefined ? {} : { putOffUntil: until, putOffFor: reason }
    changeOwn(tables, event, (row) => (isHeld ? { ...endOfClaim(tables, row), ...putOff } : {}))
  },
  ClaimExpired: (_, event, tables) => changeOwn(tables, event, (row) => endOfClaim(tables, row)),
}

const notPutOff = { putOffUntil: null, putOffFor: null } as const

const without = (mails: readonly DueMail[], mail: DueMail): readonly DueMail[] =>
  mails.filter((due) => !isSameMail(due, mail))

/** Ends the claim: the batch may be offered at once. */
const endOfClaim = (tables: IngestTables, { batch, holder }: BatchRow): Change => {
  if (holder !== null) tables['ingest-claims'].delete('batch', batch)
  return { holder: null, heldUntil: null, ...notPutOff }
}
