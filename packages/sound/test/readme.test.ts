import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { wav } from './decode/tones.ts'
import { babble, joined } from './search/sounds.ts'

const folder = join(import.meta.dirname, '..')

const file = (samples: Int16Array): Buffer => wav(8000, [Float32Array.from(samples, (x) => x / 32_768)])

it('the example of the README runs, and prints what is said there', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, code, args = '', printed] =
    /```ts\n([\s\S]*?)```\n\n```\n\$ node example\.ts (.*)\n([\s\S]*?)```/.exec(readme) ?? []
  const example = join(folder, 'example.ts')
  expect(code).toBe(await readFile(example, 'utf8'))

  const cwd = await mkdtemp(join(tmpdir(), 'sound-readme-'))
  const [episode = '', clip = ''] = args.split(' ')
  const jingle = babble(1, 1)
  await writeFile(join(cwd, episode), file(joined(babble(3, 2), jingle, babble(2, 3))))
  await writeFile(join(cwd, clip), file(jingle))
  const { stdout } = await promisify(execFile)(process.execPath, [example, episode, clip], { cwd })
  await rm(cwd, { recursive: true })
  expect(stdout).toBe(printed)
})
