import { finishAll } from '../../async/finish-all.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { JobNote } from '../../domain/ingest/batch/commands.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import type { EndOfJob } from '../../domain/ingest/batch/jobs.ts'
import { batchStream, categories } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { jobEvents } from '../../domain/ingest/job/events.ts'
import { isResume, type JobMoved } from '../../domain/ingest/job/state.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Execute } from '../runtime/execute.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { lastSeen, type StreamStates } from '../runtime/stream-states.ts'

interface NotingDependencies {
  readonly execute: Execute
  readonly states: StreamStates
}

interface NoteOf extends JobNote {
  readonly batch: string
  readonly event: RecordedEvent
}

/** An event with so many notes takes thirty kilobytes. */
const maxNotes = 2000

/**
 * Notifies each batch of the ends of its jobs, many at once: an event for each end would be one more per job. Repeated
 * after a crash, in other groups, notes change nothing: a batch knows the revision of each job's last note.
 */
export const noteJobs = (deps: NotingDependencies): Subscription => ({
  name: 'ingest-job-notes',
  filter: { categories: [categories.job], types: ['JobMoved'] },
  batchSize: maxNotes,
  handle: async ({ events }, isLeader) => {
    const notes = (await Promise.all(events.map((event) => noteOf(event, deps)))).filter(
      (note) => note !== undefined,
    )
    const batches = [...Map.groupBy(notes, ({ batch }) => batch)]
    if (!isLeader()) return false
    await finishAll(batches.map(([batch, those]) => noteEnds(batch, those, deps)))
    return true
  },
})

const noteOf = async (event: RecordedEvent, { states }: NotingDependencies): Promise<NoteOf | undefined> => {
  const { type, data } = readOrStop(jobEvents, event)
  const end = type === 'JobMoved' ? endOf(data) : undefined
  if (end === undefined) return undefined
  // The facts read here never change.
  const { state: job } = await lastSeen(states, jobDecider, event.stream)
  if (!job) return undefined
  const { batch, index } = job.facts
  return { batch, index, end, revision: Number(event.revision), event }
}

/** A job that ends with its batch (I15, I16) is not noted: the batch knows. */
const endOf = (move: JobMoved): EndOfJob | undefined => {
  if (move.cause === 'I15' || move.cause === 'I16') return undefined
  if (isResume(move)) return 'open'
  return move.to === 'completed' || move.to === 'failed' || move.to === 'deleted' ? move.to : undefined
}

const noteEnds = async (
  batch: string,
  notes: readonly NoteOf[],
  { execute }: NotingDependencies,
): Promise<void> => {
  const { event } = notes.at(-1)!
  const stream = batchStream(batch)
  const command = {
    type: 'NoteJobs',
    notes: notes.map(({ index, end, revision }) => ({ index, end, revision })),
    actor: event.metadata.actor,
    at: event.recordedAt,
  } as const
  const { correlationId } = event.metadata
  const causationId = `notes/${notes[0]!.event.id}/${event.id}`
  await orThrow(
    () => execute(batchDecider, { stream, command, causationId, correlationId }),
    'reporting jobs to their batch',
  )
}
