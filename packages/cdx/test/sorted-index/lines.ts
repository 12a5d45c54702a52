import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openIndex } from '../../src/sorted-index/open-index.ts'
import type { ScanRange, SortedIndex } from '../../src/sorted-index/types.ts'

/** Bytes as characters, so that every byte has its own. */
export const bytesOf = (line: string): Buffer => Buffer.from(line, 'latin1')

export const batchOf = (lines: readonly string[]): Buffer =>
  bytesOf(lines.map((line) => `${line}\n`).join(''))

export const sortedUnique = (lines: Iterable<string>): readonly string[] =>
  [...new Set(lines)].sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))

export const scanned = async (index: SortedIndex, range: ScanRange = {}): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const batch of index.scan(range))
    lines.push(...batch.map((line) => Buffer.from(line).toString('latin1')))
  return lines
}

/** Lines that changed, with whether they hold. */
export const changedLines = async (
  index: SortedIndex,
  since: bigint,
  upTo: bigint,
): Promise<ReadonlyMap<string, boolean>> => {
  const lines = new Map<string, boolean>()
  for await (const batch of index.changed({ since, upTo }))
    for (const { line, holds } of batch) lines.set(Buffer.from(line).toString('latin1'), holds)
  return lines
}

export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sorted-index-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const openTestIndex = (folder: string, options: Parameters<typeof openIndex>[1] = {}): SortedIndex => {
  const index = openIndex(folder, options)
  onTestFinished(() => index.close())
  return index
}

/** Changes at positions that count up. */
export const changer = (index: SortedIndex, from = 0n) => {
  let position = from
  return {
    publish: async (file: string, lines: readonly string[]) => {
      const run = await index.write([batchOf(lines)])
      return index.change([{ kind: 'publish', file, run, position: ++position }])
    },
    add: async (lines: readonly string[]) => {
      const run = await index.write([batchOf(lines)])
      return index.change([{ kind: 'add', run, position: ++position }])
    },
    remove: async (lines: readonly string[]) => {
      const run = await index.write([batchOf(lines)])
      return index.change([{ kind: 'remove', run, position: ++position }])
    },
    withdraw: (file: string) => index.change([{ kind: 'withdraw', file, position: ++position }]),
  }
}
