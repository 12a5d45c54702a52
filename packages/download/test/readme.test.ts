import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { serve } from './server.ts'

const folder = join(import.meta.dirname, '..')

it('the example of the README runs, and prints what is said there', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, code, args = '', printed] =
    /```ts\n([\s\S]*?)```\n\n```\n\$ node example\.ts (.*)\n([\s\S]*?)```/.exec(readme) ?? []
  const example = join(folder, 'example.ts')
  expect(code).toBe(await readFile(example, 'utf8'))

  const film = 'a film '.repeat(100)
  const origin = await serve((_, answer) => {
    answer.writeHead(200, { etag: '"1"', 'content-length': film.length }).end(film)
  })
  const cwd = await mkdtemp(join(tmpdir(), 'download-readme-'))
  const here = (text: string) =>
    text.replaceAll('http://media.example', origin).replaceAll('media.example', '127.0.0.1')
  const { stdout } = await promisify(execFile)(process.execPath, [example, ...here(args).split(' ')], { cwd })
  await rm(cwd, { recursive: true })
  expect(stdout).toBe(here(printed ?? ''))
})
