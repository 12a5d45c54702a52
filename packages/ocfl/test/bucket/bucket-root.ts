import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type BucketRoot, type BucketRootOptions, openBucketRoot } from '../../src/bucket/objects.ts'
import type { SourceFile } from '../../src/types.ts'
import { ark, hex } from '../root-folder.ts'
import { type Habits, memoryBucket } from './memory-bucket.ts'

export const prefix = 'archive/root'

/** A storage root in a bucket of memory; each process that opens it reaches the bucket through calls of its own. */
export const useBucket = (habits: Habits = {}) => {
  const base = mkdtempSync(join(tmpdir(), 'ocfl-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const server = memoryBucket(habits)
  const ended = new Set<unknown>()
  const open = async (
    call?: (name: string, key: string) => Promise<void>,
    settings: Partial<BucketRootOptions> = {},
  ): Promise<BucketRoot & { readonly process: string }> => {
    const process = settings.process ?? randomUUID()
    const root = await openBucketRoot({
      ...{ bucket: server.client(call), prefix, process, lock: process },
      ...{ hasEnded: (lock: unknown) => ended.has(lock), puts: { partBytes: 2000 } },
      ...settings,
    })
    onTestFinished(() => root.close().catch(() => {}))
    return { ...root, process }
  }
  return {
    ...server,
    open,
    /** The lock of a process is free from now on. */
    end: (process: string) => void ended.add(process),
    file: (path: string, text: string): SourceFile => {
      const from = join(base, randomUUID())
      writeFileSync(from, text)
      return { path, size: Buffer.byteLength(text), sha256: hex(text), from }
    },
    /** The text of a file as a reader of the root gets it. */
    read: async (root: BucketRoot, path: string, version?: number): Promise<string | undefined> => {
      const found = await root.find(ark, path, version)
      return found && server.texts().get(found.key)
    },
  }
}
