import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '..')

it('the example of the README runs, and prints what is said there', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, code, printed] =
    /```ts\n([\s\S]*?)```\n\n```\n\$ node example\.ts\n([\s\S]*?)```/.exec(readme) ?? []
  const example = join(folder, 'example.ts')
  expect(code).toBe(await readFile(example, 'utf8'))
  const { stdout } = await promisify(execFile)(process.execPath, [example])
  expect(stdout).toBe(printed)
})
