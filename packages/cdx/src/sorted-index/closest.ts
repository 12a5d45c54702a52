import type { ClosestWanted, ScanRange } from './types.ts'

/**
 * Scans from the wanted time to both sides at once. The key's lines before it, backwards, and those from it
 * on, forwards, are found by their bytes, so that other lines of the key are not read.
 */
export async function* closestLines(
  scan: (range: ScanRange) => AsyncIterable<readonly Uint8Array[]>,
  { key, time, tie = 'earlier', asOf }: ClosestWanted,
): AsyncGenerator<Uint8Array> {
  const prefix = Buffer.concat([key, Buffer.from(' ')])
  const target = Buffer.concat([prefix, Buffer.from(time)])
  const wanted = millisOf(time)
  const distanceOf = (line: Uint8Array) =>
    Math.abs(
      millisOf(Buffer.from(line.subarray(prefix.length, prefix.length + 14)).toString('latin1')) - wanted,
    )
  const atTime = asOf === undefined ? {} : { asOf }

  const few = await fewOf(scan({ from: prefix, to: Buffer.concat([key, Buffer.from('!')]), ...atTime }))
  if (few) {
    const later = tie === 'later' ? -1 : 1
    yield* few
      .map((line, i) => ({ line, i, distance: distanceOf(line) }))
      .sort((a, b) => a.distance - b.distance || later * (a.i - b.i))
      .map(({ line }) => line)
    return
  }
  const before = oneAtATime(scan({ from: prefix, to: target, backwards: true, ...atTime }))
  const behind = oneAtATime(scan({ from: target, to: Buffer.concat([key, Buffer.from('!')]), ...atTime }))
  try {
    let [earlier, later] = await Promise.all([before.next(), behind.next()])
    while (!earlier.done || !later.done) {
      const gap = earlier.done ? 1 : later.done ? -1 : distanceOf(earlier.value) - distanceOf(later.value)
      if (!earlier.done && (gap < 0 || (gap === 0 && tie === 'earlier'))) {
        yield earlier.value
        earlier = await before.next()
      } else if (!later.done) {
        yield later.value
        later = await behind.next()
      }
    }
  } finally {
    await Promise.all([before.return(undefined), behind.return(undefined)])
  }
}

/** Returns all lines if they are one batch or none, as most keys have few; else undefined. */
const fewOf = async (
  batches: AsyncIterable<readonly Uint8Array[]>,
): Promise<readonly Uint8Array[] | undefined> => {
  let few: readonly Uint8Array[] | undefined
  for await (const batch of batches) {
    if (few) return undefined
    few = batch
  }
  return few ?? []
}

async function* oneAtATime(
  batches: AsyncIterable<readonly Uint8Array[]>,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const batch of batches) yield* batch
}

/** Milliseconds of 1 to 14 digits; missing ones are those of the earliest time. Other text is far away. */
const millisOf = (time: string): number => {
  const digits = time.replace(/\D.*$/s, '')
  const part = (from: number, to: number, least: number) =>
    Math.max(least, Number(digits.slice(from, to) || 0))
  if (digits === '') return Number.MIN_SAFE_INTEGER
  return Date.UTC(
    part(0, 4, 0),
    part(4, 6, 1) - 1,
    part(6, 8, 1),
    part(8, 10, 0),
    part(10, 12, 0),
    part(12, 14, 0),
  )
}
