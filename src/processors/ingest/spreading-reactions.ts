import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { batchEvents } from '../../domain/ingest/batch/events.ts'
import { holdEvents } from '../../domain/ingest/hold/events.ts'
import { housekeepingEvents } from '../../domain/ingest/housekeeping/events.ts'
import { batchStream, categories, jobStream, scopeOf } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { workStates } from '../../domain/ingest/transitions.ts'
import { batches, jobs } from '../../domain/ingest/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is } from '../../domain/kernel/read-views.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

/* Reactions to one command of a person, or one move of a batch, that concern many. */

const by = (event: RecordedEvent) => ({ actor: event.metadata.actor, at: event.recordedAt })

const pageSize = 500

/** I15, I16: deletes all jobs of a deleted batch, whatever their state. */
export const deleteJobs = (states: StreamStates): Reaction => ({
  name: 'ingest-deletions',
  filter: { categories: [categories.batch], types: ['BatchMoved'] },
  async *react(event) {
    const { type, data } = readOrStop(batchEvents, event)
    if (type !== 'BatchMoved' || (data.cause !== 'I15' && data.cause !== 'I16')) return
    const { state: batch } = await orThrow(() => states.load(batchDecider, event.stream))
    const { firstJob, jobs: known } = batch ?? {}
    if (firstJob === undefined || !known) return
    const end = firstJob + known.words.length
    const row = data.cause
    for (let from = firstJob; from < end; from += pageSize)
      yield Array.from({ length: Math.min(pageSize, end - from) }, (_, i) =>
        routeTo(jobDecider, jobStream(from + i), { type: 'DeleteWithBatch', row, ...by(event) }),
      )
  },
})

/** Makes all held jobs of a collection pending again; if it is still on hold, their next claim holds them (C9). */
export const releaseJobs = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'ingest-releases',
  filter: { categories: [categories.hold], types: ['JobsReleased'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(holdEvents, event)
    const scope = scopeOf(idOf(event.stream))
    if (type !== 'JobsReleased' || scope === 'all') return
    await viewsReach(event.position, signal)
    const where = [is('collection', scope.collection), is('state', 'held')]
    for (const page of pagesOf(viewStore, jobs, { where }))
      yield page.map(({ job }) =>
        routeTo(jobDecider, jobStream(job), {
          type: 'ReleaseJob',
          reason: data.reason,
          ifHeld: true,
          ...by(event),
        }),
      )
  },
})

/** N15: fails the jobs of a batch that have not ended; a job that ends meanwhile is left as it is. */
export const failJobs = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'ingest-forced-failures',
  filter: { categories: [categories.batch], types: ['JobsForceFailed'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(batchEvents, event)
    if (type !== 'JobsForceFailed') return
    await viewsReach(event.position, signal)
    const open = { column: 'state', is: 'in', value: ['held', ...workStates] } as const
    for (const page of pagesOf(viewStore, jobs, { where: [is('batch', idOf(event.stream)), open] }))
      yield page.map(({ job }) =>
        routeTo(jobDecider, jobStream(job), {
          type: 'ForceFail',
          reason: data.reason,
          confirmed: true,
          ifOpen: true,
          ...by(event),
        }),
      )
  },
})

/** I16: sweeps completed batches that were done before a time. */
export const sweepBatches = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'ingest-sweeps',
  filter: { categories: [categories.housekeeping], types: ['SweepRequested'] },
  async *react(event, signal) {
    const { data } = readOrStop(housekeepingEvents, event)
    await viewsReach(event.position, signal)
    const done = { column: 'lastModified', is: '<', value: data.before } as const
    for (const page of pagesOf(viewStore, batches, { where: [is('state', 'completed'), done] }))
      yield page.map(({ batch }) =>
        routeTo(batchDecider, batchStream(batch), {
          type: 'SweepBatch',
          by: 'admin',
          reason: data.reason,
          ...by(event),
        }),
      )
  },
})
