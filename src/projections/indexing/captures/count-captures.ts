import type { CaptureQuery, SearchEnd } from '@fonds/cdx'
import type { CaptureSource } from './capture-source.ts'
import { readLines, startReading } from './read-lines.ts'

/**
 * Counts the lines that pages of a query are made of: visible lines, before filters and, unless for one key alone,
 * before times.
 */
export const countCaptures = async (
  source: CaptureSource,
  { keys, from, to }: CaptureQuery,
): Promise<{ readonly lines: number; readonly end: SearchEnd }> => {
  const reading = startReading()
  const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const query = { keys, ...('key' in keys && times) }
  let lines = 0
  for await (const batch of readLines(source, query, reading)) lines += batch.length
  return { lines, end: { scanned: reading.scanned, ...(reading.cut && { cut: reading.cut }) } }
}
