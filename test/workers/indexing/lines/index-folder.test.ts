import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createIndexFolder } from '#src/workers/indexing/lines/index-folder.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const file = { repository: 'main', name: 'a.warc' }

it('W17 lines appear at once, in place of the former ones, and go with a withdrawal', async () => {
  const root = join(temporaryFolder(), 'index')
  const index = createIndexFolder(root, 'cdx-11')
  for (const [fence, text] of [
    [1, 'old\n'],
    [2, 'new\n'],
  ] as const) {
    const draft = await index.draftOf(file, fence)
    expect(existsSync(draft)).toBe(false)
    writeFileSync(draft, text)
    await index.publish(file, draft)
    expect(readdirSync(join(root, 'main'))).toEqual(['a.warc.cdx'])
    expect(readFileSync(join(root, 'main/a.warc.cdx'), 'utf8')).toBe(text)
  }
  expect(readdirSync(join(root, '.drafts'))).toEqual([])
  await index.withdraw(file)
  await index.withdraw(file)
  expect(readdirSync(join(root, 'main'))).toEqual([])
})

it('what a killed job left is swept by the next job of the same file, and by no other', async () => {
  const root = temporaryFolder()
  const index = createIndexFolder(root, 'cdxj')
  const left = await index.draftOf(file, 1)
  writeFileSync(left, 'half')
  writeFileSync(`${left}.0`, 'a part')
  const other = await index.draftOf({ ...file, name: 'a.warc.1' }, 1)
  writeFileSync(other, 'of another file')
  await index.draftOf(file, 2)
  expect(readdirSync(join(root, '.drafts'))).toEqual(['main a.warc.1 1'])
  await index.publish({ ...file, name: 'a.warc.1' }, other)
  expect(readdirSync(join(root, 'main'))).toEqual(['a.warc.1.cdxj'])
})
