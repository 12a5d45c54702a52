import type { BucketTotals } from '../../ports/bucket-totals.ts'
import { bytes, count } from '../output/text.ts'

/** Requests that a check makes at least, as buckets are charged for them. */
export interface EstimatedRequests {
  /** One for each object that is read; those that the last check found archived take a HEAD instead. A reading that breaks off takes more. */
  readonly get: number
  /** Pages of a thousand names: a check compares what is there with what is recorded. */
  readonly list: number
  /** By which the store is found. Objects in parts take one more for each part, where the bucket reports nothing else. */
  readonly head: number
}

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

export const requestsText = ({ get, list, head }: EstimatedRequests): string =>
  `${count(get)} GET, ${count(list)} LIST, ${count(head)} HEAD`

/** Puts what was asked beside what was estimated before. */
export const costSentence = (
  { requests, bytesRead }: BucketTotals,
  estimated: EstimatedRequests | undefined,
): string =>
  `Asked of buckets: ${requestsText(requests)}, ${bytes(bytesRead)}` +
  (estimated ? ` (estimated before: at least ${requestsText(estimated)})` : '')
