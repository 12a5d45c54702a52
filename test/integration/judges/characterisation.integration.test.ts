import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeContent } from '../../e2e/archive.ts'
import { ask, type Given, type Line, launch, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'

/* Files whose formats other programs name: `file`, and a service on Python's own HTTP server. */

const file = server('file')
const python = server('bagit')

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const contents: Readonly<Record<string, string | Buffer>> = {
  'letter.txt': 'Dear Ada,\n',
  'page 1.png': png,
  "deep/it's $(here) \u2028;`x`.pdf": '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n',
  'packed.gz': gzipSync('Dear Bob,'),
  '-b': 'no option\n',
  'large.bin': randomBytes(5 * 1024 ** 2),
  'empty.txt': '',
}

/** A folder of such files is taken in; what is known of each, and what the programs said, by name. */
const takeIn = async (tool: string) => {
  const { root, ...given } = useFolder()
  for (const [name, bytes] of Object.entries(contents)) writeContent(root, `box/${name}`, bytes)
  const env = { FONDS_INGEST_CHARACTERISE: tool }
  const [job] = await ask(['ingest', 'submit', join(root, 'box'), '--local-id', 'box', '--wait'], {
    ...given,
    env,
  })
  expect(job).toMatchObject({ state: 'completed' })
  const [object] = await ask(['ingest', 'object', 'box'], given)
  const files: readonly Line[] = object.listedFiles
  return {
    given,
    place: (name: string) => join(root, 'box', name),
    known: (name: string): Line => files.find(({ path }) => path === `producer/${name}`),
  }
}

const answersIn = ({ home }: Given): readonly Line[] =>
  execFileSync('find', [
    join(home, 'storage'),
    '-name',
    'mrt-characterisation.ndjson',
    '-exec',
    'cat',
    '{}',
    '+',
  ])
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe.skipIf('absent' in file)('file', () => {
  const program = 'address' in file ? file.address : ''

  it.each(['', ' {path}'])(
    'names the format of each as it does by itself: --mime-type -b%s',
    async (mark) => {
      const { known, place } = await takeIn(`"${program}" --mime-type -b${mark}`)
      for (const name of Object.keys(contents)) {
        const said = execFileSync(program, ['--mime-type', '-b', place(name)])
          .toString()
          .trim()
        expect(known(name), name).toMatchObject({ mimeType: said, format: { mimeType: said } })
      }
      expect(known('page 1.png').mimeType).toBe('image/png')
    },
  )
})

describe.skipIf('absent' in python)('a service on Python’s HTTP server', () => {
  const program = 'address' in python ? join(dirname(python.address), 'python') : ''

  it.each(['/detect', '/examine?file={path}'])('has the bytes of each: %s', async (path) => {
    const service = launch(program, [join(import.meta.dirname, 'format-service.py')])
    const [address] = await service.says(/http:\S+/)
    const { known, given } = await takeIn(`${address}${path}`)
    const answers = new Map(answersIn(given).map((line) => [line.path, line]))
    expect(answers.size).toBe(Object.keys(contents).length)
    for (const [name, bytes] of Object.entries(contents)) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(answers.get(`producer/${name}`), name).toMatchObject({ sha256, answer: { sha256 } })
    }
    expect(known('page 1.png').format).toEqual({ mimeType: 'image/png' })
  })
})
