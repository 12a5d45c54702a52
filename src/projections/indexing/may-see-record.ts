import type { Capture } from '../../domain/indexing/capture.ts'
import { surt } from '../../domain/indexing/surt.ts'
import type { CaptureSource } from '../../ports/capture-source.ts'
import { findCaptures } from './captures/find-captures.ts'

/** Whether the index has a line that may be seen and names this very place. Throws `UnavailableError`. */
export const maySeeRecord = async (
  source: CaptureSource,
  { url, time, file, offset }: Capture,
): Promise<boolean> => {
  const place = String(offset)
  for await (const { lines } of findCaptures(source, { keys: { key: surt(url) }, from: time, to: time }))
    if (lines.some((line) => line.field('file') === file && line.field('offset') === place)) return true
  return false
}
