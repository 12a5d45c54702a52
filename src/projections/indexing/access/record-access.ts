import { type Capture, type CaptureQuery, rangeOfPrefix, surt } from '@fonds/cdx'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'

/** `unseen`: as if there were no record. `refused`: the public message of the rule. */
export type RecordAccess = 'seen' | 'unseen' | { readonly refused: string }

/**
 * Returns the access to a record: whether the index has a visible line that names this very place. Throws
 * `UnavailableError`.
 */
export const accessToRecord = async (source: CaptureSource, capture: Capture): Promise<RecordAccess> => {
  const { url, time } = capture
  const byUrl = await accessBy(source, capture, { keys: { key: surt(url) }, from: time, to: time })
  if (byUrl !== 'unseen') return byUrl
  // The body that was sent to the URL is in the record of the request, which lies elsewhere in the file.
  const queries = rangeOfPrefix(`${surt(url.replace(/[?#].*/, ''))}?`)
  return accessBy(source, capture, {
    keys: { ranges: [queries] },
    from: time,
    to: time,
    filters: [({ key }) => hasRequest.test(key)],
  })
}

const hasRequest = /[?&]__wb_method=/

const accessBy = async (
  { isHidden, refusedBy, ...source }: CaptureSource,
  { file, offset }: Capture,
  query: CaptureQuery,
): Promise<RecordAccess> => {
  const place = String(offset)
  let access: RecordAccess = 'unseen'
  for await (const { lines } of findCaptures(source, query))
    for (const line of lines) {
      if (line.field('file') !== file || line.field('offset') !== place) continue
      if (!isHidden?.(line)) return 'seen'
      const refused = refusedBy?.(line)?.publicMessage
      if (refused !== undefined) access = { refused }
    }
  return access
}
