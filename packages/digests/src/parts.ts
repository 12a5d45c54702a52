import { type Algorithm, isAlgorithm } from './algorithms.ts'

/*
 * Object storages report, for what was put in parts, a digest of the digests of the parts. It can be compared only where
 * the sizes of the parts are known: they are in the name of its algorithm, as `md5/parts:8388608*3+100`.
 */

/** Digest of the digests of parts: of the algorithm before the slash, each part of the size after the colon. */
export type PartsAlgorithm = `${Algorithm}/parts:${string}`
export type AnyAlgorithm = Algorithm | PartsAlgorithm

interface Parts {
  readonly of: Algorithm
  /** Bytes of each part, in order. */
  readonly sizes: Iterable<number>
}

/** Parts of an upload to S3. */
const maxParts = 10_000
const maxNameLength = 1000
const marker = '/parts:'

/** Undefined for no parts, more than 10,000, or so many different sizes that the name would be too long to keep. */
export const partsAlgorithm = (of: Algorithm, sizes: readonly number[]): PartsAlgorithm | undefined => {
  if (sizes.length === 0 || sizes.length > maxParts) return undefined
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 0)) return undefined
  const runs: [size: number, count: number][] = []
  for (const size of sizes) {
    const last = runs.at(-1)
    if (last?.[0] === size) last[1]++
    else runs.push([size, 1])
  }
  const text = runs.map(([size, count]) => (count === 1 ? `${size}` : `${size}*${count}`)).join('+')
  return text.length > maxNameLength ? undefined : `${of}${marker}${text}`
}

/** Undefined for any other name, and for one that `partsAlgorithm` would not have made. */
export const partsOf = (name: string): Parts | undefined => {
  const at = name.indexOf(marker)
  const of = name.slice(0, Math.max(at, 0))
  if (at < 0 || !isAlgorithm(of) || name.length > of.length + marker.length + maxNameLength) return undefined
  const runs = name
    .slice(at + marker.length)
    .split('+')
    .map(readRun)
  const counts = runs.map((run) => run?.count ?? Number.NaN)
  if (!(counts.reduce((sum, count) => sum + count, 0) <= maxParts)) return undefined
  const sizes = runs.flatMap((run) => new Array<number>(run?.count ?? 0).fill(run?.size ?? 0))
  return partsAlgorithm(of, sizes) === name ? { of, sizes } : undefined
}

const readRun = (text: string): { readonly size: number; readonly count: number } | undefined => {
  const [, size, count] = /^(\d{1,16})(?:\*(\d{1,5}))?$/.exec(text) ?? []
  return size === undefined ? undefined : { size: Number(size), count: Number(count ?? 1) }
}

/** The algorithm of a digest's bytes: a digest of parts has as many as any other of its algorithm. */
export const baseAlgorithm = (name: string): Algorithm | undefined =>
  isAlgorithm(name) ? name : partsOf(name)?.of
