import { UnavailableError } from '../../../async/unavailable.ts'
import { refusalSoFar } from '../../../processors/ingest/storage-guard.ts'
import { uploadsOf } from '../../../workers/ingest/ingester-context.ts'
import { openBucketDrop } from '../../../workers/ingest/submit/bucket-drop.ts'
import type { Drop } from '../../../workers/ingest/submit/drop.ts'
import { dropFolder, openDrop } from '../../../workers/ingest/submit/drop-area.ts'
import { createRooms } from '../../../workers/runtime/room.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { type IngestContext, ingestContext } from '../context.ts'
import type { IngestConfig } from '../settings.ts'

export const maxFiles = 10_000

/** Where clients upload files themselves; undefined where they cannot. */
export const directArea = async (context: WorkflowContext<IngestConfig>) => {
  const { ingestUploadBytes: bytes, ingestUploadEndpoint } = context.config
  if (ingestUploadEndpoint === undefined) return undefined
  const ofIngest = ingestContext(context)
  const area = await uploadsOf(ofIngest)
  if (!area) return undefined
  await failIfStrange(ofIngest)
  return { area, limits: { files: maxFiles, bytes } }
}

/** Other nodes would not read files beside another root than the archive's. Throws `UnavailableError`. */
const failIfStrange = async (context: IngestContext): Promise<void> => {
  const refusal = await refusalSoFar(context)
  if (refusal !== undefined) throw new UnavailableError(refusal)
}

/**
 * Files of a request go beside the storage root, if that is in a bucket: any node reads them there. Else they go into
 * the home, and only a process that has it can.
 */
export const dropFor = async (context: WorkflowContext<IngestConfig>, batch: string): Promise<Drop> => {
  const { home, ingestUploadBytes: bytes, ingestThresholdPercent } = context.config
  const ofIngest = ingestContext(context)
  const area = await uploadsOf(ofIngest)
  const limits = { files: maxFiles, bytes }
  if (!area) {
    const takeRoom = createRooms(ingestThresholdPercent).writer(dropFolder(home))
    return openDrop(home, batch, { ...limits, takeRoom })
  }
  return openBucketDrop(area, batch, { ...limits, failIfStrange: () => failIfStrange(ofIngest) })
}
