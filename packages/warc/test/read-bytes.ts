import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Visit } from '../src/open-records.ts'
import { type ReadFailure, UnreadableArchive } from '../src/read-failure.ts'
import { type ReadOptions, type ReadSummary, readRecords } from '../src/read-file.ts'
import { createPayloadDigest } from '../src/records/payload-digest.ts'
import { type SalvageOptions, type SalvageSummary, salvageRecords } from '../src/salvage/salvage-records.ts'

/** A response or a revisit, as it was read. */
export interface SeenRecord {
  readonly type: string | undefined
  readonly url: string | undefined
  readonly time: string | undefined
  readonly status: string | undefined
  readonly contentType: string | undefined
  /** Of its payload. */
  readonly digest: string
  readonly offset: number
  readonly length: number
}

/** What came of a file: its responses and revisits where it was whole, and only there. */
export type Reading<Summary = ReadSummary> =
  | { readonly records: readonly SeenRecord[]; readonly summary: Summary }
  | ReadFailure

/** Takes responses and revisits. */
export const seeing =
  (take: (record: SeenRecord) => void): Visit =>
  ({ head, offset, readHttpHead }) => {
    if (head.type !== 'response' && head.type !== 'revisit') return undefined
    const { type, url, time } = head
    const http = head.isHttp ? readHttpHead() : undefined
    const digest = createPayloadDigest(http?.isChunked ?? false)
    const contentType = http?.contentType ?? head.contentType
    const end = (length: number) =>
      take({ type, url, time, status: http?.status, contentType, digest: digest.end(), offset, length })
    return { push: digest.push, end }
  }

const orFailure = async <Summary>(read: (visit: Visit) => Promise<Summary>): Promise<Reading<Summary>> => {
  const records: SeenRecord[] = []
  try {
    return { summary: await read(seeing((record) => void records.push(record))), records }
  } catch (error) {
    if (error instanceof UnreadableArchive) return error.failure
    throw error
  }
}

/** Reads files that are made of bytes, one after the other, under one name. */
export const useReader = (name = 'made.warc.gz') => {
  const folder = mkdtempSync(join(tmpdir(), 'warc-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  const read = (options?: ReadOptions): Promise<Reading> =>
    orFailure((visit) => readRecords(path, visit, options))
  const salvage = (options?: SalvageOptions): Promise<Reading<SalvageSummary>> =>
    orFailure((visit) => salvageRecords(path, visit, options))
  const write = (parts: readonly Buffer[]) => writeFileSync(path, Buffer.concat(parts))
  return {
    path,
    read,
    readBytes: (...parts: readonly Buffer[]) => {
      write(parts)
      return read()
    },
    salvageBytes: (...parts: readonly Buffer[]) => {
      write(parts)
      return salvage()
    },
  }
}
