import { rm } from 'node:fs/promises'
import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { UnavailableError } from '../../../async/unavailable.ts'
import { type ListedObject, maxListedObjects, pages } from '../../../domain/ingest/payload.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import type { StepReports } from '../step-reports.ts'
import { type PayloadTools, readPayload } from './read-payload.ts'

const maxMessageLength = 2000

/** I4, N6: lists the objects of a payload, and reports that it was read to its end, or why it cannot be. */
export const openBatch = async (
  { id: batch, fence, batch: { submission } }: BatchWork,
  reports: StepReports,
  tools: PayloadTools,
  context: TaskContext,
): Promise<void> => {
  try {
    const { type, objects } = await readPayload(submission.payload, tools, context)
    let count = 0
    for await (const page of inPages(objects)) {
      await reports.report('objects.listed', { batch, fence, from: count, objects: page })
      count += page.length
      context.signal.throwIfAborted()
      context.progress()
    }
    const { digest } = submission.payload
    await reports.report('batch.opened', { batch, fence, count, type, ...(digest && { digest }) })
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof UnavailableError) throw error
    const machine = machineFailure(error, [tools.folder])
    if (machine) throw machine
    const message =
      clip(diskReason(error) ?? errorMessage(error), maxMessageLength) || 'it failed without giving a reason'
    await reports.report('batch.failed', { batch, fence, message })
  } finally {
    await rm(tools.folder, { recursive: true, force: true })
  }
}

/** Number of rows read before pages are cut. */
const readAtOnce = 10 * maxListedObjects

async function* inPages(
  objects: AsyncIterable<ListedObject> | Iterable<ListedObject>,
): AsyncGenerator<readonly ListedObject[]> {
  let read: ListedObject[] = []
  for await (const object of objects) {
    read.push(object)
    if (read.length < readAtOnce) continue
    yield* pages(read, maxListedObjects)
    read = []
  }
  yield* pages(read, maxListedObjects)
}
