import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncAll } from '../src/disk.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-all-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const filesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const path = join(folder, `file-${n}`)
    writeFileSync(path, 'x')
    return path
  })

test('takes files and folders', async () => {
  await expect(syncAll([...filesOf(100), folder])).resolves.toBeUndefined()
})

test('rejects where one of them cannot be synced', async () => {
  const missing = join(folder, 'missing')
  await expect(syncAll([...filesOf(3), missing])).rejects.toMatchObject({ code: 'ENOENT', path: missing })
})

test('syncs no more once the pause in between throws', async () => {
  const enough = () => Promise.reject(new Error('enough'))
  await expect(syncAll([...filesOf(40), join(folder, 'missing')], enough)).rejects.toThrow('enough')
})
