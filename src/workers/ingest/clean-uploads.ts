import { orThrow } from '../../async/unavailable.ts'
import { BatchId } from '../../domain/ingest/ids.ts'
import { DAY } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UploadArea } from '../../ports/upload-area.ts'
import { listFile } from './submit/upload-list.ts'

interface UploadCleanerOptions {
  readonly clock: Pick<Clock, 'now'>
  /** True if nothing of the batch can be resumed, and no work folder of it is left. */
  readonly isOver: (batch: string) => boolean
}

/** Longer than any upload takes: nothing tells how far one is that another process receives. */
const abandonedMillis = 7 * DAY

/** Deletes uploads in a bucket whose batch is over, and those that were never finished. Any process may. */
export const removeUploads = async (
  area: UploadArea,
  { clock, isOver }: UploadCleanerOptions,
): Promise<void> => {
  for (const batch of await orThrow(area.folders())) {
    if (!BatchId.is(batch)) continue
    if (isOver(batch) || (await isAbandoned(area, batch, Date.parse(clock.now()))))
      await orThrow(area.remove(batch))
  }
}

/** Complete ones have a list: their submission may be on its way still. */
const isAbandoned = async (area: UploadArea, batch: string, now: number): Promise<boolean> =>
  now - (await orThrow(area.lastWritten(batch))) > abandonedMillis &&
  (await orThrow(area.text(listFile(batch)))) === undefined
