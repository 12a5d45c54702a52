import { onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import type { CaptureIndex } from '#src/ports/capture-index.ts'

export {
  batchOf,
  bytesOf,
  changer,
  emptyFolder,
  scanned,
  sortedUnique,
} from '../../../packages/cdx/test/sorted-index/lines.ts'

export const openTestIndex = (
  folder: string,
  options: Parameters<typeof openCaptureIndex>[1] = {},
): CaptureIndex => {
  const index = openCaptureIndex(folder, options)
  onTestFinished(() => index.close())
  return index
}
