import { setImmediate } from 'node:timers/promises'
import type { Capture } from '@fonds/cdx'
import { UnreadableArchive } from '@fonds/warc'
import { createInflater, openRecords, type Source } from '@fonds/warc/read'
import { captureVisit } from '../captures/read-captures.ts'

/**
 * Returns the capture whose record seems to begin at that byte of a WARC or ARC file; undefined if none does. In an
 * uncompressed file, part of a record may look like one: only the index knows where records begin. The record is read
 * to its end, to determine its length.
 */
export const recordAt = async (file: Source, name: string, offset: number): Promise<Capture | undefined> => {
  const first = await firstCapture(file, name, maxRecords)
  if (!first || offset < first.capture.offset) return undefined
  const head = first.capture.offset
  if (offset === head) return first.capture
  const found = await firstCapture(behindHead(file, head, offset), name, first.records)
  return found?.capture.offset === head ? { ...found.capture, offset } : undefined
}

/** Limit of records before the first capture of a file: there are few. */
const maxRecords = 1000

/** Bytes of records read between two yields to the event loop. */
const stepBytes = 4 * 1024 * 1024

/** `records`: the number of records read to find it, its own included. */
interface FirstCapture {
  readonly capture: Capture
  readonly records: number
}

const firstCapture = async (
  source: Source,
  name: string,
  limit: number,
): Promise<FirstCapture | undefined> => {
  const inflater = createInflater()
  let found: FirstCapture | undefined
  try {
    const { visit } = captureVisit({ name, kind: 'content' }, (capture) => {
      found ??= { capture, records: read.records }
    })
    const { read, step } = openRecords(source, inflater, visit)
    while (!found && read.records < limit && step(stepBytes)) await setImmediate()
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error
  } finally {
    inflater.close()
  }
  return found
}

/** Concatenates the head of the file, which says how all its records are to be read, and its bytes from `offset` on. */
const behindHead = (file: Source, head: number, offset: number): Source => ({
  size: head + Math.max(0, file.size - offset),
  read: (at, buffer) =>
    at < head
      ? file.read(at, buffer.subarray(0, Math.min(buffer.length, head - at)))
      : file.read(at - head + offset, buffer),
})
