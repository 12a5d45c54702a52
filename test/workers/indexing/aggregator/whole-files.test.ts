import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { wholeFiles } from '#src/workers/indexing/aggregator/whole-files.ts'

const folderOf = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-whole-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const module = new URL('../../../../src/workers/indexing/aggregator/whole-files.ts', import.meta.url).href

/** Puts files until it is killed. */
const writer = (folder: string): string => `
  const { wholeFiles } = await import(${JSON.stringify(module)})
  const files = wholeFiles(${JSON.stringify(folder)}, /whole$/)
  for (let n = 0; ; n++) await files.put(n + '.whole', 'x'.repeat(50_000_000))`

it('a draft of a process that was killed goes after a day, and never before', async () => {
  const folder = folderOf()
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer(folder)], { stdio: 'ignore' })
  const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'))
  while (drafts().length === 0) await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const files = wholeFiles(folder, /whole$/)
  const [left] = drafts()
  // It may have got its name a moment before.
  if (left === undefined) return expect(await files.list()).not.toEqual([])
  await files.list()
  expect(drafts()).toEqual([left])
  const longAgo = Date.now() / 1000 - 25 * 3600
  utimesSync(join(folder, left), longAgo, longAgo)
  await files.list()
  expect(drafts()).toEqual([])
})

it('a draft that cannot be put in its place does not stay', async () => {
  const folder = folderOf()
  const files = wholeFiles(folder, /whole$/)
  await files.put('a.whole', 'first')
  await expect(files.put('a.whole/b', 'under a file')).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['a.whole'])
})
