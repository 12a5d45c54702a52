import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeFiles } from '../../../src/workers/ingest/files/write-files.ts'
import {
  openingFolderOf,
  removeBatchFolder,
  removeWorkFolders,
  takeWorkFolder,
  workFolderOf,
} from '../../../src/workers/ingest/work-folder.ts'
import { useFolder } from '../../e2e/run-fonds.ts'

const job = { batch: 'b', job: 7 }

it('X22 the folder of a job goes to the next claim with all that is in it, and the one before has none', async () => {
  const { root } = useFolder()
  const first = await takeWorkFolder(root, { ...job, fence: 1 })
  writeFiles([{ path: first.producerFiles, parts: ['a'] }])
  const next = await takeWorkFolder(root, { ...job, fence: 4 })
  expect(readFileSync(next.producerFiles, 'utf8')).toBe('a')
  expect(existsSync(first.path)).toBe(false)
  // A late one begins with nothing, and takes nothing away.
  const late = await takeWorkFolder(root, { ...job, fence: 3 })
  expect(existsSync(late.path)).toBe(false)
  expect(readdirSync(next.path)).toEqual(['producer-files.ndjson'])
})

it('I39 removes the folders of a job, of whichever claim, and that of its batch when no job has one any more', async () => {
  const { root } = useFolder()
  for (const fence of [1, 2]) mkdirSync(workFolderOf(root, { ...job, fence }).producer, { recursive: true })
  const other = await takeWorkFolder(root, { ...job, job: 71, fence: 1 })
  writeFiles([{ path: other.producerFiles, parts: ['a'] }])
  mkdirSync(openingFolderOf(root, 'b', 1))
  writeFileSync(join(openingFolderOf(root, 'b', 1), 'left'), 'by a killed one')
  await removeWorkFolders(root, { ...job, fence: 2 })
  expect(readdirSync(join(root, 'b')).toSorted()).toEqual(['71-1', 'opening-1'])
  expect(await removeBatchFolder(root, 'b')).toBe(false)
  await removeWorkFolders(root, { ...job, job: 71, fence: 1 })
  expect(await removeBatchFolder(root, 'b')).toBe(true)
  expect(readdirSync(root)).toEqual([])
})
