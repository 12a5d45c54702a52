import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bagOf, writeBag } from './bagit/bags.ts'

const folder = join(import.meta.dirname, '..')

it('the example of the README runs, and prints what is said there', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, code, name = '', printed] =
    /```ts\n([\s\S]*?)```\n\n```\n\$ node example\.ts (.*)\n([\s\S]*?)```/.exec(readme) ?? []
  const example = join(folder, 'example.ts')
  expect(code).toBe(await readFile(example, 'utf8'))

  const cwd = await mkdtemp(join(tmpdir(), 'bag-readme-'))
  const bag = bagOf({ 'data/reel-1.tif': 'one', 'data/reel-2.tif': 'two' })
  writeBag(join(cwd, name), { ...bag, 'data/reel-2.tif': 'owt', 'data/reel-3.tif': '' })
  const { stdout } = await promisify(execFile)(process.execPath, [example, name], { cwd })
  await rm(cwd, { recursive: true })
  expect(stdout).toBe(printed)
})
