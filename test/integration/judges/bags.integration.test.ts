import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkBag } from '@fonds/bag/check'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Bag,
  bagOf,
  digestOf,
  withTagManifest,
  writeBag,
} from '../../../packages/bag/test/bagit/bags.ts'
import { conformanceBags } from '../../../packages/bag/test/bagit/conformance-bags.ts'
import { useSeed } from '../../e2e/crash/seed.ts'
import { server } from '../servers.ts'

/* Bags that we changed at random, judged by us and by bagit.py. */

const judge = server('bagit')
const hold = { signal: new AbortController().signal, progress: () => {} }

type Pick = <A>(from: readonly A[]) => A

interface Change {
  readonly name: string
  /** The bag, changed; undefined where there is nothing to be changed. */
  readonly of: (bag: Bag, pick: Pick) => Bag
  /** Not by the tag manifest, which is written anew behind it. */
  readonly tagged?: boolean
  /** Who of us two is right where we differ, and why. */
  readonly differs?: string
}

const textIn = (bag: Bag, path: string) => String(bag[path] ?? '')
const with_ = (bag: Bag, path: string, change: (text: string) => string): Bag => ({
  ...bag,
  [path]: change(textIn(bag, path)),
})
const without = (bag: Bag, path: string): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([name]) => name !== path))
const payloadIn = (bag: Bag) => Object.keys(bag).filter((path) => path.startsWith('data/'))
const manifestsIn = (bag: Bag) => Object.keys(bag).filter((path) => path.startsWith('manifest-'))
const linesOf = (text: string) => text.split('\n').filter(Boolean)

const changes: readonly Change[] = [
  { name: 'nothing', of: (bag) => bag },
  { name: 'a payload byte', of: (bag, pick) => with_(bag, pick(payloadIn(bag)), (text) => `${text}!`) },
  { name: 'a payload file less', of: (bag, pick) => without(bag, pick(payloadIn(bag))) },
  { name: 'a payload file more', of: (bag) => ({ ...bag, 'data/more.txt': 'more' }) },
  { name: 'a tag file more', of: (bag) => ({ ...bag, 'notes.txt': 'more' }) },
  { name: 'a tag file changed', of: (bag) => with_(bag, 'bag-info.txt', (text) => `${text}Note: x\n`) },
  {
    name: 'a tag file changed, and listed',
    of: (bag) => with_(bag, 'bag-info.txt', (text) => `${text}Note: x\n`),
    tagged: true,
  },
  {
    name: 'a line of a manifest less',
    of: (bag, pick) =>
      with_(bag, pick(manifestsIn(bag)), (text) =>
        linesOf(text)
          .slice(1)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    tagged: true,
    differs:
      'RFC 8493 §3: every payload file is in every payload manifest since version 1.0; bagit.py wants it in one',
  },
  {
    name: 'a digit of a manifest',
    of: (bag, pick) =>
      with_(bag, pick(manifestsIn(bag)), (text) =>
        text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
    tagged: true,
  },
  {
    name: 'upper-case digests',
    of: (bag, pick) =>
      with_(bag, pick(manifestsIn(bag)), (text) =>
        text.replaceAll(/^[0-9a-f]+/gm, (hex) => hex.toUpperCase()),
      ),
    tagged: true,
  },
  {
    name: 'CR LF in a manifest',
    of: (bag, pick) => with_(bag, pick(manifestsIn(bag)), (text) => text.replaceAll('\n', '\r\n')),
    tagged: true,
  },
  {
    name: 'asterisks in a manifest',
    of: (bag, pick) => with_(bag, pick(manifestsIn(bag)), (text) => text.replaceAll('  data', ' *data')),
    tagged: true,
  },
  { name: 'no manifest', of: (bag) => manifestsIn(bag).reduce(without, bag), tagged: true },
  { name: 'one manifest less', of: (bag, pick) => without(bag, pick(manifestsIn(bag))), tagged: true },
  { name: 'no bagit.txt', of: (bag) => without(bag, 'bagit.txt'), tagged: true },
  { name: 'an empty bagit.txt', of: (bag) => ({ ...bag, 'bagit.txt': '' }), tagged: true },
  {
    name: 'a byte order mark',
    of: (bag) => with_(bag, 'bagit.txt', (text) => `\uFEFF${text}`),
    tagged: true,
  },
  {
    name: 'version 0.97',
    of: (bag) => with_(bag, 'bagit.txt', (text) => text.replace('1.0', '0.97')),
    tagged: true,
  },
  {
    name: 'another Payload-Oxum',
    of: (bag) => with_(bag, 'bag-info.txt', (text) => text.replace(/Oxum: \d/, 'Oxum: 9')),
    tagged: true,
  },
  { name: 'no Payload-Oxum', of: (bag) => ({ ...bag, 'bag-info.txt': 'Note: x\n' }), tagged: true },
  { name: 'no bag-info.txt', of: (bag) => without(bag, 'bag-info.txt'), tagged: true },
  { name: 'no tag manifest', of: (bag) => without(bag, 'tagmanifest-sha256.txt') },
  {
    name: 'a name out of the bag',
    of: (bag, pick) => with_(bag, pick(manifestsIn(bag)), (text) => `${text}${digestOf('md5', 'x')}  ../x\n`),
    tagged: true,
  },
  {
    name: 'a file in the manifest that is not there',
    of: (bag) =>
      manifestsIn(bag).reduce(
        (next, path) => with_(next, path, (text) => `${text}${linesOf(text)[0]?.split(' ')[0]}  data/none\n`),
        bag,
      ),
    tagged: true,
  },
  {
    name: 'one name twice',
    of: (bag, pick) => with_(bag, pick(manifestsIn(bag)), (text) => `${text}${linesOf(text)[0]}\n`),
    tagged: true,
    differs: 'RFC 8493 §2.1.3: a manifest must not list a file twice; bagit.py takes the same digest again',
  },
]

/** What bagit.py says of each folder: `valid`, or why not. */
const verdictsOn = (folders: readonly string[]): readonly string[] => {
  const program = 'address' in judge ? judge.address : ''
  const said = spawnSync(join(dirname(program), 'python'), [join(import.meta.dirname, 'judge-bags.py')], {
    input: folders.map((folder) => `${folder}\n`).join(''),
    encoding: 'utf8',
  })
  const verdicts = said.stdout.trim().split('\n')
  expect(verdicts, said.stderr).toHaveLength(folders.length)
  return verdicts
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-bags-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe.skipIf('absent' in judge)('bags', () => {
  it('as in the conformance suite are to bagit.py what we say, but where the reason is told', () => {
    const base = newFolder()
    const folders = conformanceBags.map((_, i) => join(base, String(i)))
    for (const [i, { bag }] of conformanceBags.entries()) writeBag(folders[i]!, bag)
    const verdicts = verdictsOn(folders)
    const differing = conformanceBags.flatMap(({ name, isValid }, i) =>
      isValid === (verdicts[i] === 'valid') ? [] : [`${name}: ${verdicts[i]}`],
    )
    const explained = conformanceBags.flatMap(({ name, differs }) => (differs ? [name] : []))
    expect(differing.map((text) => text.replace(/: .*/, ''))).toEqual(explained)
  })

  it('200 with one change or two are valid to us where they are to bagit.py', async () => {
    const { chance } = useSeed()
    const pick: Pick = (from) => from[Math.floor(chance() * from.length)]!
    const base = newFolder()
    const bags = Array.from({ length: 200 }, (_, i) => {
      const count = 1 + Math.floor(chance() * 4)
      const payload = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`data/${n % 2 ? 'd/' : ''}f${n}.txt`, `${i} ${n}`]),
      )
      const made = Array.from({ length: 1 + Math.floor(chance() * 2) }, () => pick(changes))
      const bag = made.reduce(
        (bag, { of, tagged }) =>
          tagged && 'tagmanifest-sha256.txt' in bag ? withTagManifest(of(bag, pick)) : of(bag, pick),
        bagOf(payload),
      )
      const folder = join(base, String(i))
      writeBag(folder, bag)
      return { folder, made }
    })
    const verdicts = verdictsOn(bags.map(({ folder }) => folder))
    const differing = []
    for (const [i, { folder, made }] of bags.entries()) {
      const { problems } = await checkBag(folder, hold)
      const verdict = verdicts[i]!
      const isSame = (problems.length === 0) === (verdict === 'valid')
      if (!isSame && !made.some(({ differs }) => differs))
        differing.push({ made: made.map(({ name }) => name), problems, verdict })
    }
    expect(differing).toEqual([])
    expect(new Set(verdicts.map((verdict) => verdict === 'valid'))).toEqual(new Set([true, false]))
  })
})
