import type { JobEvent } from '../../domain/ingest/job/events.ts'
import type { JobChanges } from '../../domain/ingest/job/facts.ts'
import { isResume, type JobMoved, keepsClaim, lastSuccessfulAfter } from '../../domain/ingest/job/state.ts'
import { siteIn } from '../../domain/ingest/site.ts'
import { isWorkState, type JobState } from '../../domain/ingest/transitions.ts'
import { orderOf } from '../../domain/ingest/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeBatch } from './batch-rows.ts'
import { noteMove } from './site-rows.ts'
import type { BatchRow, IngestTables, JobRow } from './tables.ts'

const numberOf = ({ stream }: RecordedEvent): number => Number(idOf(stream))

/** Changes the row of a job; does nothing if there is none. `lastModified` changes with every event. */
export const changeJob = (
  tables: IngestTables,
  job: number,
  event: RecordedEvent,
  change: (row: JobRow) => Partial<JobRow>,
): void => {
  const row = tables['ingest-jobs'].get(job)
  if (row) putJob(tables, { ...row, ...change(row), lastModified: event.recordedAt })
}

const putJob = (tables: IngestTables, row: JobRow): void => {
  tables['ingest-jobs'].put(row)
  noteMove(tables, row.lastModified, row.sourceSite)
  if (row.workSite !== row.sourceSite) noteMove(tables, row.lastModified, row.workSite)
}

const changeOwn = (
  tables: IngestTables,
  event: RecordedEvent,
  change: (row: JobRow) => Partial<JobRow>,
): void => changeJob(tables, numberOf(event), event, change)

/** Handlers for a job's row: its facts, its state, and its place in the queue. */
export const jobHandlers: Handlers<JobEvent, IngestTables> = {
  JobCreated: (data, event, tables) => {
    const {
      job,
      batch,
      priority,
      index,
      primary,
      callback,
      foreign: _,
      foreignCallback: __,
      site = '',
      at,
      ...facts
    } = data
    const { description = null } = facts
    putJob(tables, {
      ...facts,
      job,
      batch,
      place: index,
      state: 'pending',
      available: '',
      order: orderOf(priority, job),
      priority,
      ark: primary ?? null,
      description,
      title: description?.what ?? facts.payload.name ?? null,
      callback: callback ?? null,
      lastSuccessfulStatus: null,
      retryCount: 0,
      failedIn: null,
      permanent: 0,
      message: null,
      actor: event.metadata.actor,
      putOffFor: null,
      spaceNeeded: 0,
      sizeKnown: 0,
      workBytes: null,
      version: null,
      files: null,
      bytes: null,
      warnings: [],
      sourceSite: site,
      workSite: '',
      site: siteIn('pending', { source: site, work: '' }),
      folder: 1,
      endedAt: null,
      holder: null,
      fence: null,
      heldUntil: null,
      deaths: 0,
      createdAt: at,
      lastModified: event.recordedAt,
    })
    changeBatch(tables, batch, event, ({ open }) => ({ open: open + 1 }))
  },

  JobMoved: (move, event, tables) => {
    const row = tables['ingest-jobs'].get(numberOf(event))
    if (!row) return
    if (row.holder !== null && !keepsClaim(move)) tables['ingest-claims'].delete('job', String(row.job))
    const { from, to } = move
    if (to === 'deleted' && row.folder === 0) tables['ingest-jobs'].delete(row.job)
    else putJob(tables, moved(row, move, event))
    if (countOf(from) !== countOf(to) || from === 'held' || to === 'held')
      changeBatch(tables, row.batch, event, (batch) => recounted(batch, from, to))
  },
  WorkFolderCleaned: (_, event, tables) => {
    const row = tables['ingest-jobs'].get(numberOf(event))
    if (row?.state === 'deleted') tables['ingest-jobs'].delete(row.job)
    else changeOwn(tables, event, () => ({ folder: 0 }))
  },

  StepClaimed: ({ state, holder, fence, deadline, lock = null }, event, tables) => {
    const id = idOf(event.stream)
    const since = event.recordedAt
    tables['ingest-claims'].put({ kind: 'job', id, state, holder, fence, since, deadline, lock })
    changeOwn(tables, event, () => ({
      holder,
      fence,
      heldUntil: deadline,
      available: deadline,
      putOffFor: null,
    }))
  },
  ClaimExtended: ({ deadline }, event, tables) => {
    const claim = tables['ingest-claims'].get('job', idOf(event.stream))
    if (claim) tables['ingest-claims'].put({ ...claim, deadline })
    changeOwn(tables, event, () => ({ heldUntil: deadline, available: deadline }))
  },
  ClaimReleased: ({ fence, until, reason }, event, tables) =>
    changeOwn(tables, event, (row) => {
      // A late event of a holder that was taken for dead.
      if (row.holder === null || row.fence !== fence) return { deaths: Math.max(0, row.deaths - 1) }
      endClaim(tables, row)
      return until === undefined
        ? { ...unheld, available: '', putOffFor: null }
        : { ...unheld, available: until, putOffFor: reason, deaths: 0 }
    }),
  ClaimExpired: ({ deaths = 0 }, event, tables) =>
    changeOwn(tables, event, (row) => {
      endClaim(tables, row)
      return { ...unheld, available: '', putOffFor: null, deaths }
    }),
}

const unheld = { holder: null, heldUntil: null } as const

const endClaim = (tables: IngestTables, { job }: JobRow): void =>
  tables['ingest-claims'].delete('job', String(job))

const moved = (row: JobRow, move: JobMoved, event: RecordedEvent): JobRow => {
  const { from, to, at, message = null, changed = {} } = move
  const { priority = row.priority } = changed
  const workSite = changed.site ?? (isResume(move) && to === 'downloading' ? '' : row.workSite)
  return {
    ...row,
    ...found(row, changed),
    ...(keepsClaim(move)
      ? { available: row.heldUntil }
      : { ...unheld, available: isWorkState(to) ? '' : null }),
    state: to,
    workSite,
    site: isWorkState(to) ? siteIn(to, { source: row.sourceSite, work: workSite }) : '',
    priority,
    order: orderOf(priority, row.job),
    lastSuccessfulStatus: lastSuccessfulAfter(row.lastSuccessfulStatus, move),
    retryCount: row.retryCount + (isResume(move) ? 1 : 0),
    failedIn: to === 'failed' && isWorkState(from) ? from : null,
    permanent: to === 'failed' && move.permanent === true ? 1 : 0,
    message,
    actor: event.metadata.actor,
    putOffFor: null,
    deaths: 0,
    endedAt: to === 'completed' || to === 'deleted' ? at : null,
    lastModified: event.recordedAt,
  }
}

/** Columns that the step determined. */
const found = (row: JobRow, changed: JobChanges): Partial<JobRow> => {
  const { ark, localIds, description, spaceNeeded, sizeKnown, workBytes, version, files, bytes, warnings } =
    changed
  return {
    ...(ark !== undefined && { ark }),
    ...(localIds !== undefined && { localIds }),
    ...(description !== undefined && { description, title: description.what ?? row.title }),
    ...(spaceNeeded !== undefined && { spaceNeeded }),
    ...(sizeKnown !== undefined && { sizeKnown: sizeKnown ? 1 : 0 }),
    ...(workBytes !== undefined && { workBytes }),
    ...(version !== undefined && { version }),
    ...(files !== undefined && { files }),
    ...(bytes !== undefined && { bytes }),
    ...(warnings !== undefined && { warnings }),
  }
}

/** The batch's count that includes a job in this state; held jobs are counted separately, too. */
const countOf = (state: JobState): 'open' | 'completed' | 'failed' | 'deleted' =>
  state === 'completed' || state === 'failed' || state === 'deleted' ? state : 'open'

const recounted = (batch: BatchRow, from: JobState, to: JobState): Partial<BatchRow> => {
  const { open, completed, failed, deleted } = batch
  const counts = { open, completed, failed, deleted }
  counts[countOf(from)]--
  counts[countOf(to)]++
  return { ...counts, held: batch.held + (to === 'held' ? 1 : 0) - (from === 'held' ? 1 : 0) }
}
