import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkBag } from '../../src/bagit/check-bag.ts'
import { type Bag, bagOf, digestOf, withTagManifest, writeBag } from './bags.ts'

const hold = { signal: new AbortController().signal, progress: () => {} }

const check = (bag: Bag) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-bag-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeBag(folder, bag)
  return checkBag(folder, hold)
}

const payload: Bag = { 'data/a.txt': 'ay', 'data/deep/ü.txt': 'you' }
const bag = bagOf(payload)
const changed = (changes: Record<string, (text: string) => string | undefined>): Bag => {
  const next: Bag = { ...bag }
  for (const [path, change] of Object.entries(changes)) {
    const text = change(String(bag[path] ?? ''))
    if (text === undefined) delete next[path]
    else next[path] = text
  }
  return next
}
const problemsOf = async (bag: Bag) => (await check(bag)).problems

describe('a bag', () => {
  it('is valid where every file is there and as it says', async () => {
    const { problems, files, info } = await check(bag)
    expect(problems).toEqual([])
    expect(files).toContainEqual({ path: 'data/a.txt', size: 2, sha256: digestOf('sha256', 'ay') })
    expect(files).toHaveLength(7)
    expect(info.get('Source-Organization')).toEqual(['An archive'])
  })

  it('may have CR LF, names in another Unicode form, encoded line ends, no tag manifest and no info', async () => {
    const odd: Bag = { 'data/u\u0308.txt': 'x', 'data/50%.txt': 'y', 'data/two\nlines': 'z' }
    const named = (path: string) => path.normalize('NFC').replace('%', '%25').replace('\n', '%0A')
    const manifest = Object.entries(odd).map(
      ([path, bytes]) => `${digestOf('sha512', bytes)} *${named(path)}\r\n`,
    )
    const declaration = 'BagIt-Version: 0.97\r\nTag-File-Character-Encoding: UTF-8\r\n'
    expect(
      await problemsOf({ ...odd, 'bagit.txt': declaration, 'manifest-sha512.txt': manifest.join('') }),
    ).toEqual([])
  })

  it('before 1.0 may list a payload file in one manifest of several', async () => {
    const old = changed({
      'bagit.txt': (text) => text.replace('1.0', '0.97'),
      'manifest-md5.txt': (text) => text.split('\n').slice(1).join('\n'),
    })
    expect(await problemsOf(withTagManifest(old))).toEqual([])
    expect(await problemsOf(withTagManifest({ ...old, 'bagit.txt': bag['bagit.txt']! }))).toEqual([
      'data/a.txt is there, but not in manifest-md5.txt',
    ])
  })

  it.each([
    ['no bagit.txt', changed({ 'bagit.txt': () => undefined }), 'there is no bagit.txt'],
    [
      'a byte order mark',
      changed({ 'bagit.txt': (text) => `\uFEFF${text}` }),
      'begins with a byte order mark',
    ],
    ['a declaration of one line', changed({ 'bagit.txt': () => 'BagIt-Version: 1.0\n' }), 'wants two lines'],
    [
      'an encoding there is none of',
      changed({ 'bagit.txt': (text) => text.replace('UTF-8', 'KLINGON') }),
      'names the encoding KLINGON',
    ],
    ['no payload manifest', bagOf(payload, []), 'there is no payload manifest'],
    [
      'an algorithm that cannot be computed',
      changed({ 'manifest-gost.txt': () => 'ab  data/a.txt\n' }),
      'manifest-gost.txt cannot be checked: the algorithm gost is not known here',
    ],
    ['a changed byte', { ...bag, 'data/a.txt': 'aY' }, 'data/a.txt does not have the sha256 digest'],
    [
      'a changed tag file',
      changed({ 'bag-info.txt': (text) => `${text}Note: x\n` }),
      'bag-info.txt does not have the sha256 digest',
    ],
    [
      'a file less',
      changed({ 'data/a.txt': () => undefined }),
      'data/a.txt is in manifest-sha256.txt, but not there',
    ],
    [
      'a file more',
      { ...bag, 'data/more': '' },
      'data/more is there, but not in manifest-md5.txt and manifest-sha256.txt',
    ],
    [
      'one name twice',
      changed({ 'manifest-md5.txt': (text) => text + text }),
      'names "data/a.txt" a second time',
    ],
    [
      'a name that leads out',
      changed({ 'manifest-md5.txt': (text) => `${text}${'0'.repeat(32)}  data/../../etc/passwd\n` }),
      'leads out of the bag',
    ],
    [
      'payload that is none',
      changed({ 'manifest-md5.txt': (text) => `${text}${'0'.repeat(32)}  bag-info.txt\n` }),
      'which is no payload',
    ],
    [
      'a digest that is none',
      changed({ 'manifest-md5.txt': (text) => `${text}abc  data/b.txt\n` }),
      'has no md5 digest',
    ],
    [
      'a line that is none',
      changed({ 'manifest-md5.txt': (text) => `${text}what\n` }),
      'is no manifest line',
    ],
    [
      'another Payload-Oxum',
      changed({ 'bag-info.txt': (text) => text.replace(/Oxum: .*/, 'Oxum: 9.9') }),
      'Payload-Oxum says 9.9, the payload is 5.2',
    ],
    [
      'a file that was not fetched',
      changed({ 'data/a.txt': () => undefined, 'fetch.txt': () => 'https://h/a 2 data/a.txt\n' }),
      'data/a.txt is in fetch.txt, and was not fetched',
    ],
    [
      'a tag file to be fetched',
      changed({ 'fetch.txt': () => 'https://h/a - bag-info.txt\n' }),
      'which is no payload',
    ],
    ['a fetch line that is none', changed({ 'fetch.txt': () => 'what\n' }), 'is no line of things to fetch'],
  ])('with %s is not valid, and says so', async (_, broken, why) => {
    expect((await problemsOf(broken)).join('\n')).toContain(why)
  })

  it.each(['gost', 'sha-9000', 'sha256 (1)', '.'])(
    'whose one manifest is of the algorithm %j has that named, and never "no payload manifest"',
    async (algorithm) => {
      const { 'manifest-md5.txt': lines = '', ...one } = bagOf(payload, ['md5'])
      const problems = await problemsOf(withTagManifest({ ...one, [`manifest-${algorithm}.txt`]: lines }))
      expect(problems).toEqual([
        `manifest-${algorithm}.txt cannot be checked: the algorithm ${algorithm} is not known here`,
      ])
    },
  )

  it('with two files whose names differ in Unicode form alone has two (F5; bagit.py 1.9: valid)', async () => {
    const two: Bag = { 'data/\u00e9': 'x', 'data/e\u0301': 'y' }
    expect(await problemsOf(bagOf(two))).toEqual([])
    const { 'data/e\u0301': _, ...missing } = bagOf(two)
    expect((await problemsOf(missing)).join()).toContain('names "data/\u00e9" a second time')
    const lists = Object.entries(bagOf({ 'data/\u00e9': 'x' })).filter(([path]) => !path.startsWith('tag'))
    const unlisted = { ...Object.fromEntries(lists), 'data/e\u0301': 'y' }
    expect((await problemsOf(unlisted)).join()).toMatch(/data\/e\u0301 is there, but not in manifest-/)
  })

  it('fetches a file under the Unicode form that it has, or is to have', async () => {
    const { 'manifest-md5.txt': lines = '', ...rest } = bagOf({ 'data/e\u0301': 'x' }, ['md5'])
    const sums = { 'manifest-md5.txt': String(lines).normalize('NFC') }
    const fetched = { ...rest, ...sums, 'fetch.txt': 'https://h/a - data/\u00e9\n' }
    expect(await problemsOf(withTagManifest(fetched))).toEqual([])
  })

  it('with no folder data/ is not valid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-bag-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeBag(folder, bagOf({}))
    expect((await checkBag(folder, hold)).problems).toEqual([])
    rmSync(join(folder, 'data'), { recursive: true })
    expect((await checkBag(folder, hold)).problems).toEqual(['there is no folder data/'])
  })
})
