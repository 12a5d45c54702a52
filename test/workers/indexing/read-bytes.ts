import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capture } from '@fonds/cdx'
import type { ReadFailure } from '@fonds/warc'
import type { ReadSummary } from '@fonds/warc/read'
import * as E from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { readArchive, type WithCaptures } from '#src/workers/indexing/captures/read-archive.ts'
import type { CaptureOptions } from '#src/workers/indexing/captures/read-captures.ts'

/** What came of a file: its captures where it was whole, and only there. */
export type Reading =
  | { readonly captures: readonly Capture[]; readonly summary: WithCaptures<ReadSummary> }
  | ReadFailure

/** Reads files that are made of bytes, one after the other, under one name. */
export const useReader = (options: Partial<CaptureOptions> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-reader-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const name = options.name ?? 'made.warc.gz'
  const path = join(folder, name)
  const read = (breathe?: () => void) => readPath(path, { kind: 'content', ...options, name }, breathe)
  return {
    path,
    read,
    readBytes: (...parts: readonly Buffer[]): Promise<Reading> => {
      writeFileSync(path, Buffer.concat(parts))
      return read()
    },
  }
}

export const readPath = async (
  path: string,
  options: CaptureOptions,
  breathe?: () => void,
): Promise<Reading> => {
  const captures: Capture[] = []
  let verdict: 'kept' | 'discarded' | undefined
  const decide = (next: 'kept' | 'discarded') => () => {
    if (verdict) throw new Error(`${verdict}, and then ${next}`)
    verdict = next
  }
  const result = await readArchive(
    path,
    options,
    { add: (capture) => void captures.push(capture), keep: decide('kept'), discard: decide('discarded') },
    breathe,
  )
  if (verdict !== (E.isRight(result) ? 'kept' : 'discarded'))
    throw new Error(`${verdict}: ${JSON.stringify(result)}`)
  return E.isRight(result) ? { captures, summary: result.right } : result.left
}
