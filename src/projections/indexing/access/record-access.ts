import { type Capture, surt } from '@fonds/cdx'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'

/** `unseen`: as if there were no record. `refused`: the public message of the rule. */
export type RecordAccess = 'seen' | 'unseen' | { readonly refused: string }

/**
 * Returns the access to a record: whether the index has a visible line that names this very place. Throws
 * `UnavailableError`.
 */
export const accessToRecord = async (
  { isHidden, refusedBy, ...source }: CaptureSource,
  { url, time, file, offset }: Capture,
): Promise<RecordAccess> => {
  const place = String(offset)
  let access: RecordAccess = 'unseen'
  for await (const { lines } of findCaptures(source, { keys: { key: surt(url) }, from: time, to: time }))
    for (const line of lines) {
      if (line.field('file') !== file || line.field('offset') !== place) continue
      if (!isHidden?.(line)) return 'seen'
      const refused = refusedBy?.(line)?.publicMessage
      if (refused !== undefined) access = { refused }
    }
  return access
}
