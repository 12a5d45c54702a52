import type { BucketTotals } from '../../src/ports/bucket-totals.ts'

/** Classes of requests, as buckets are charged for them: `put` is every other one that writes. */
const classes = ['get', 'head', 'list', 'put', 'delete'] as const
type RequestClass = (typeof classes)[number]

const [readAt, writtenAt] = [classes.length, classes.length + 1]

/** Cells of one set of counters: requests by class, bytes read, bytes written. */
export const cells = classes.length + 2

/** Counters on shared memory: threads that are given them count together. */
export type RequestCounts = BigInt64Array<SharedArrayBuffer>

/** Counters that the threads of a process share: `S3Settings.counts`. */
export const createRequestCounts = (): RequestCounts =>
  new BigInt64Array(new SharedArrayBuffer(cells * BigInt64Array.BYTES_PER_ELEMENT))

interface CountedCall {
  readonly method: string
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export const countRequest = (counts: RequestCounts, call: CountedCall): void => {
  Atomics.add(counts, classes.indexOf(classOf(call)), 1n)
  if (call.body) Atomics.add(counts, writtenAt, BigInt(call.body.length))
}

export const countBytesRead = (counts: RequestCounts, bytes: number): void =>
  void Atomics.add(counts, readAt, BigInt(bytes))

export const requestTotals = (counts: RequestCounts): BucketTotals => totalsOf((i) => Atomics.load(counts, i))

/** Returns the totals, and begins again at 0: what is counted meanwhile is in this result or in the next. */
export const takeTotals = (counts: RequestCounts): BucketTotals =>
  totalsOf((i) => Atomics.exchange(counts, i, 0n))

const totalsOf = (cell: (i: number) => bigint): BucketTotals => {
  const at = (i: number): number => Number(cell(i))
  const requests = Object.fromEntries(classes.map((name, i) => [name, at(i)])) as Record<RequestClass, number>
  return { requests, bytesRead: at(readAt), bytesWritten: at(writtenAt) }
}

const classOf = ({ method, key }: CountedCall): RequestClass => {
  if (method === 'GET') return key === undefined ? 'list' : 'get'
  if (method === 'HEAD') return 'head'
  return method === 'DELETE' ? 'delete' : 'put'
}
