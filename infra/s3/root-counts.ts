import { createHash } from 'node:crypto'
import { cells, type RequestCounts } from './request-counts.ts'

/* Counters for each root, in memory that all threads of a process share. A root has the same counters in each thread. */

/** Roots that a process can count apart. */
const most = 512

/** The id of a root, then its counters. */
const width = 1 + cells

/** Counters of all roots: `S3Settings.countsByRoot`. */
export const createRootCounts = (): SharedArrayBuffer =>
  new SharedArrayBuffer(most * width * BigInt64Array.BYTES_PER_ELEMENT)

/** Returns the counters of a root: `s3://bucket/prefix`. Undefined where 512 other roots have some. */
export const countsOfRoot = (table: SharedArrayBuffer, root: string): RequestCounts | undefined => {
  const ids = new BigInt64Array(table)
  const id = idOf(root)
  const first = Number(BigInt.asUintN(32, id)) % most
  for (let i = 0; i < most; i++) {
    const at = ((first + i) % most) * width
    const found = Atomics.compareExchange(ids, at, 0n, id)
    if (found === 0n || found === id)
      return new BigInt64Array(table, (at + 1) * BigInt64Array.BYTES_PER_ELEMENT, cells)
  }
  return undefined
}

/** Never 0. A prefix with slashes at its end is the same root. */
const idOf = (root: string): bigint =>
  createHash('sha256').update(root.replace(/\/+$/, '')).digest().readBigInt64LE() | 1n
