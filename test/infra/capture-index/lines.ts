import { onTestFinished } from 'vitest'
import { openWhenUsed } from '#infra/capture-index/open-when-used.ts'
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
  options: Parameters<typeof openWhenUsed>[1] = {},
): CaptureIndex => {
  const index = openWhenUsed(folder, options)
  onTestFinished(() => index.close())
  return index
}
