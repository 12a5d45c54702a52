import type { BucketTotals } from '../../src/ports/bucket-totals.ts'

/** Classes of requests, as buckets are charged for them: `put` is every other one that writes. */
const classes = ['get', 'head', 'list', 'put', 'delete'] as const
type RequestClass = (typeof classes)[number]

const [readAt, writtenAt] = [classes.length, classes.length + 1]

/** Counters that the threads of a process share: `S3Settings.counts`. */
export const createRequestCounts = (): SharedArrayBuffer =>
  new SharedArrayBuffer((classes.length + 2) * BigInt64Array.BYTES_PER_ELEMENT)

interface CountedCall {
  readonly method: string
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export const countRequest = (counts: SharedArrayBuffer, call: CountedCall): void => {
  const all = new BigInt64Array(counts)
  Atomics.add(all, classes.indexOf(classOf(call)), 1n)
  if (call.body) Atomics.add(all, writtenAt, BigInt(call.body.length))
}

export const countBytesRead = (counts: SharedArrayBuffer, bytes: number): void =>
  void Atomics.add(new BigInt64Array(counts), readAt, BigInt(bytes))

export const requestTotals = (counts: SharedArrayBuffer): BucketTotals => {
  const all = new BigInt64Array(counts)
  const at = (i: number): number => Number(Atomics.load(all, i))
  const requests = Object.fromEntries(classes.map((name, i) => [name, at(i)])) as Record<RequestClass, number>
  return { requests, bytesRead: at(readAt), bytesWritten: at(writtenAt) }
}

const classOf = ({ method, key }: CountedCall): RequestClass => {
  if (method === 'GET') return key === undefined ? 'list' : 'get'
  if (method === 'HEAD') return 'head'
  return method === 'DELETE' ? 'delete' : 'put'
}
