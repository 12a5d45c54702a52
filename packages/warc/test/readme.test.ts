import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { httpResponse, warcinfo, warcRecord } from './make-warc.ts'

const folder = join(import.meta.dirname, '..')

it('the example of the README runs, and prints what is said there', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, code, args = '', printed] =
    /```ts\n([\s\S]*?)```\n\n```\n\$ node example\.ts (.*)\n([\s\S]*?)```/.exec(readme) ?? []
  const example = join(folder, 'example.ts')
  expect(code).toBe(await readFile(example, 'utf8'))

  const cwd = await mkdtemp(join(tmpdir(), 'warc-readme-'))
  const [whole = '', damaged = ''] = args.split(' ')
  const block = (body: string) => httpResponse({ body: body.repeat(100) })
  const records = [
    warcinfo(),
    warcRecord({ url: 'https://example.org/', block: block('<p>a page</p>') }),
    warcRecord({ url: 'https://example.org/b', block: block('<p>another</p>') }),
  ]
  await writeFile(join(cwd, whole), Buffer.concat(records))
  const bytes = Buffer.concat(records)
  bytes.fill('x', records[0]!.length, records[0]!.length + 40)
  await writeFile(join(cwd, damaged), bytes)
  const { stdout } = await promisify(execFile)(process.execPath, [example, whole, damaged], { cwd })
  await rm(cwd, { recursive: true })
  expect(stdout).toBe(printed)
})
