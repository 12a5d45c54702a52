import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileSystemStore } from '#infra/content/file-system/store.ts'
import { examineAtOnce, examineNow } from '#src/workers/fixity/examine.ts'
import { hashContent } from '#src/workers/fixity/hash-content.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fonds-look-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const signal = new AbortController().signal
const sha256 = { algorithm: 'sha-256', value: '0'.repeat(64) }

/** What the steps tell that a thread takes where it cannot read in one go. */
const inSteps = async (path: string, checksums: readonly { algorithm: string; value: string }[]) => {
  const store = createFileSystemStore(root, { blocking: true })
  return examineAtOnce(store, { path, checksums }, (_, algorithms) =>
    hashContent(store, { path, algorithms, signal, onBytes: () => {} }),
  )
}

describe('a small file looked at in one go', () => {
  it.each([
    ['empty', 0],
    ['small', 4096],
    ['as large as may be', 256 * 1024],
  ])('%s: tells what the steps tell', async (_, size) => {
    writeFileSync(join(root, 'file'), randomBytes(size))
    symlinkSync('file', join(root, 'link'))
    const store = createFileSystemStore(root, { blocking: true })
    for (const path of ['file', 'link'])
      for (const checksums of [[], [sha256], [sha256, { algorithm: 'md5', value: '0'.repeat(32) }]]) {
        const seen = examineNow(store, { path, checksums })
        expect(seen?.content.status).toBe('read')
        expect(seen).toEqual(await inSteps(path, checksums))
      }
  })

  it('a larger one, or one whose digests Node does not compute, is left to the steps', () => {
    writeFileSync(join(root, 'large'), randomBytes(256 * 1024 + 1))
    writeFileSync(join(root, 'file'), 'x')
    const store = createFileSystemStore(root, { blocking: true })
    expect(examineNow(store, { path: 'large', checksums: [sha256] })).toBeUndefined()
    expect(
      examineNow(store, { path: 'file', checksums: [{ algorithm: 'blake3', value: '0'.repeat(64) }] }),
    ).toBeUndefined()
    expect(examineNow(store, { path: 'none', checksums: [sha256] })).toBeUndefined()
  })
})
