import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkBag } from '@fonds/bag/check'
import { describe, expect, it, onTestFinished } from 'vitest'
import createFileSystemStore from '#infra/content/file-system/store.ts'
import { survey } from '#src/workers/fixity/survey.ts'
import { server } from '../servers.ts'

/* Bags that bagit.py 1.9.0 itself wrote. */

const judge = server('bagit')

interface Wanted {
  readonly names: readonly string[]
  readonly algorithms: readonly string[]
}

/** Makes each bag in a folder of its own, and tells what bagit.py says of it. */
const made = (bags: readonly Wanted[]) => {
  const base = mkdtempSync(join(tmpdir(), 'fonds-bagit-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const wanted = bags.map((bag, i) => ({ ...bag, folder: join(base, String(i)) }))
  const python = join(dirname('address' in judge ? judge.address : ''), 'python')
  const { stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'make-bags.py')], {
    input: JSON.stringify(wanted),
    encoding: 'utf8',
  })
  const verdicts = stdout.trim().split('\n')
  expect(verdicts, stderr).toHaveLength(bags.length)
  return wanted.map((bag, i) => ({ ...bag, verdict: verdicts[i] }))
}

/** Problems to ingest, which reads the bytes, and to fixity, which reads the names. */
const problemsOf = async (folder: string) => {
  const { problems } = await checkBag(folder)
  const fixity: string[] = []
  for await (const found of survey(createFileSystemStore(folder)))
    if (found.kind === 'problem' || found.kind === 'missing') fixity.push(found.path)
  return { ingest: problems, fixity }
}

const none = { ingest: [], fixity: [] }

describe.skipIf('absent' in judge)('bags that bagit.py wrote', () => {
  it('are valid with each algorithm that it has, and a changed byte is found', async () => {
    const algorithms =
      'md5 sha1 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 blake2b blake2s'.split(' ')
    const bags = made(
      [...algorithms.map((one) => [one]), algorithms].map((all) => ({
        names: ['a', 'd/b'],
        algorithms: all,
      })),
    )
    for (const { folder, verdict, algorithms: all } of bags) {
      expect([all, verdict, await problemsOf(folder)]).toEqual([all, 'valid', none])
      appendFileSync(join(folder, 'data/a'), '!')
      const { problems } = await checkBag(folder)
      expect(problems).toHaveLength(1 + all.length)
      expect(problems.at(-1)).toMatch(/^data\/a does not have the .* digest that manifest-.*\.txt gives it$/)
      expect(readdirSync(folder)).toContain(`manifest-${all[0]}.txt`)
    }
  })

  it('are valid whatever their names, also where bagit.py does not read back what it wrote', async () => {
    const readBack = [
      '50%.txt',
      '50%25.txt',
      'a%20b',
      'two\nlines',
      'Icon\r',
      ' b',
      '*star',
      'back\\slash',
      '#c',
      'ü'.normalize('NFD'),
      '%0a',
    ]
    // It takes these for line ends and for blanks at the end of a line, or decodes what it did not encode.
    const refused = ['\u2028', '\u0085', '\v', '\f', '\x1c', 'end ', 'a%0Ab', 'c%0Dd']
    const bags = made([
      ...[...readBack, ...refused].map((name) => ({
        names: [name.length > 1 ? name : `x${name}y`],
        algorithms: ['sha256'],
      })),
      { names: readBack, algorithms: ['sha256', 'sha3_256'] },
      { names: refused, algorithms: ['sha256'] },
    ])
    expect(bags.map(({ verdict }) => verdict)).toEqual([
      ...readBack.map(() => 'valid'),
      ...refused.map(() => 'refused'),
      'valid',
      'refused',
    ])
    for (const { names, folder } of bags) expect([names, await problemsOf(folder)]).toEqual([names, none])
  })
})
