import type { BucketTotals } from '../../ports/bucket-totals.ts'
import { bytes, count } from '../output/text.ts'

/** Undefined if nothing was asked. */
export const totalsSince = (before: BucketTotals, now: BucketTotals): BucketTotals | undefined => {
  const since = (name: keyof BucketTotals['requests']): number => now.requests[name] - before.requests[name]
  const requests = {
    get: since('get'),
    head: since('head'),
    list: since('list'),
    put: since('put'),
    delete: since('delete'),
  }
  if (Object.values(requests).every((made) => made === 0)) return undefined
  const bytesRead = now.bytesRead - before.bytesRead
  return { requests, bytesRead, bytesWritten: now.bytesWritten - before.bytesWritten }
}

export const costSentence = ({ requests, bytesRead }: BucketTotals): string => {
  const { get, list, head } = requests
  return `Asked of buckets: ${count(get)} GET, ${count(list)} LIST, ${count(head)} HEAD, ${bytes(bytesRead)}`
}
