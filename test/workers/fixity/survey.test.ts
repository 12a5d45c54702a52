import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import createFileSystemStore from '../../../infra/content/file-system/store.ts'
import type { ContentStore } from '../../../src/ports/content-store.ts'
import { type Surveyed, survey } from '../../../src/workers/fixity/survey.ts'

const hex = (algorithm: string, content: string) => createHash(algorithm).update(content).digest('hex')
const md5 = (content: string) => hex('md5', content)
const sha256 = (content: string) => hex('sha256', content)
const asMd5 = (content: string) => ({ algorithm: 'md5', value: md5(content) })
const asSha256 = (content: string) => ({ algorithm: 'sha-256', value: sha256(content) })

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fonds-survey-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

const surveyed = async (store: ContentStore = createFileSystemStore(root), prefix?: string) => {
  const all: Surveyed[] = []
  for await (const one of survey(store, prefix)) all.push(one)
  const of = <Kind extends Surveyed['kind']>(kind: Kind) =>
    all.filter((one): one is Extract<Surveyed, { kind: Kind }> => one.kind === kind)
  return {
    recorded: Object.fromEntries(of('recorded').map((one) => [one.path, one])),
    unread: of('unread').map(({ path }) => path),
    missing: of('missing'),
    skipped: of('skipped'),
    problems: of('problem').map(({ path, line, reason }) => `${path}${line ? `:${line}` : ''}: ${reason}`),
  }
}

const bag = (
  files: Readonly<Record<string, string>>,
  declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
) => {
  const lines = (digest: (content: string) => string, of: Readonly<Record<string, string>>) =>
    Object.entries(of)
      .map(
        ([path, content]) =>
          `${digest(content)}  ${path.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D')}\n`,
      )
      .join('')
  const tags = {
    'bagit.txt': declaration,
    'manifest-md5.txt': lines(md5, files),
    'manifest-sha256.txt': lines(sha256, files),
  }
  return { ...files, ...tags, 'tagmanifest-sha256.txt': lines(sha256, tags) }
}
const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

describe('survey of bags', () => {
  test('each file with the checksums of every manifest; the tag files by the tag manifest', async () => {
    const payload = { 'data/a.txt': 'A', 'data/deep/er/b%20\n\r%.txt': 'B' }
    const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'
    await write({ ...below('bags/one', bag(payload)), 'beside.txt': 'x' })
    const { recorded, unread, missing, problems } = await surveyed()
    expect({ missing, problems }).toEqual({ missing: [], problems: [] })
    expect(Object.keys(recorded).sort()).toEqual(
      [
        'bagit.txt',
        'data/a.txt',
        'data/deep/er/b%20\n\r%.txt',
        'manifest-md5.txt',
        'manifest-sha256.txt',
      ].map((path) => `bags/one/${path}`),
    )
    expect(unread).toEqual(['beside.txt', 'bags/one/tagmanifest-sha256.txt'])
    expect(recorded['bags/one/data/deep/er/b%20\n\r%.txt']).toEqual({
      kind: 'recorded',
      path: 'bags/one/data/deep/er/b%20\n\r%.txt',
      size: 1,
      version: expect.any(String),
      checksums: [asMd5('B'), asSha256('B')],
      recordedFrom: 'bags/one/manifest-md5.txt, bags/one/manifest-sha256.txt',
    })
    expect(recorded['bags/one/bagit.txt']?.checksums).toEqual([asSha256(declaration)])
  })

  test('a payload file that is not there is told; one to be fetched, with where from', async () => {
    await write(bag({ 'data/here': 'x', 'data/gone': 'y', 'data/far\n': 'z' }))
    for (const path of ['data/gone', 'data/far\n']) await rm(join(root, path))
    await write({
      'fetch.txt':
        'https://example.org/far 1 data/far%0A\nnonsense\nhttps://example.org/x - data/unlisted\nfile:///x - ../out\n',
    })
    const { missing, problems, recorded } = await surveyed()
    expect(missing).toEqual(
      [
        ['data/gone', 'it is not there', 'y'],
        ['data/far\n', 'to be fetched from https://example.org/far', 'z'],
      ].map(([path, note, content = '']) => ({
        kind: 'missing',
        path,
        note,
        checksums: [asMd5(content), asSha256(content)],
        recordedFrom: 'manifest-md5.txt, manifest-sha256.txt',
      })),
    )
    expect(problems).toEqual([
      expect.stringMatching(/^fetch\.txt:2: is no line of things to fetch/),
      'fetch.txt:3: "data/unlisted" is in no manifest of the bag',
      expect.stringMatching(/^fetch\.txt:4: "..\/out" leads out/),
    ])
    expect(recorded['data/here']).toBeDefined()
  })

  test('manifests in ISO-8859-1, where the bag says so', async () => {
    const declaration = 'BagIt-Version: 0.97\r\nTag-File-Character-Encoding: ISO-8859-1\r\n'
    await write({
      'data/é': 'x',
      'bagit.txt': declaration,
      'manifest-md5.txt': Buffer.from(`${md5('x')}  data/é\r\n`, 'latin1'),
    })
    expect((await surveyed()).recorded['data/é']?.checksums).toEqual([asMd5('x')])
  })

  test('an odd bag is said to be one: no version, no manifest, no bagit.txt', async () => {
    await write({ 'a/bagit.txt': 'hello', 'b/manifest-md5.txt': `${md5('x')}  data/x\n` })
    const { problems, missing } = await surveyed()
    expect(missing).toEqual([])
    expect(problems).toEqual([
      expect.stringMatching(/^a\/bagit\.txt: has no BagIt-Version/),
      'a/bagit.txt: the bag has no manifest',
      'b/manifest-md5.txt: is not read: no bagit.txt beside it',
    ])
  })

  test('a bag in a bag: both are heard', async () => {
    const inner = bag({ 'data/x': 'X' })
    await write(bag(below('data/inner', inner)))
    const { recorded, unread, problems } = await surveyed()
    expect(problems).toEqual([])
    expect(unread).toEqual(['tagmanifest-sha256.txt'])
    expect(recorded['data/inner/data/x']).toMatchObject({
      checksums: [asMd5('X'), asSha256('X')],
      recordedFrom:
        'manifest-md5.txt, data/inner/manifest-md5.txt, manifest-sha256.txt, data/inner/manifest-sha256.txt',
    })
  })
})

describe('survey of checksum files', () => {
  test('what sha256sum and md5sum write for hostile names, plain and tagged', async () => {
    const names = [
      'plain',
      'two\nlines',
      'back\\slash',
      'carriage\rreturn',
      ' spaces ',
      '*star',
      'tab\there',
      'a (1) = b',
      'é',
    ]
    await write(Object.fromEntries(names.map((name) => [`files/${name}`, name])))
    const sums = (command: string, ...options: string[]) =>
      execFileSync(command, [...options, '--', ...names.map((name) => `./files/${name}`)], { cwd: root })
    await write({
      SHA256SUMS: sums('sha256sum', '--binary'),
      'all.sha1': sums('sha1sum', '--tag'),
      'files.md5': sums('md5sum'),
    })
    const { recorded, unread, missing, problems } = await surveyed()
    expect({ missing, problems }).toEqual({ missing: [], problems: [] })
    expect(unread).toEqual(['SHA256SUMS', 'all.sha1', 'files.md5'])
    for (const name of names)
      expect(recorded[`files/${name}`]?.checksums).toEqual([
        asSha256(name),
        { algorithm: 'sha-1', value: hex('sha1', name) },
        asMd5(name),
      ])
  })

  test('sidecars: a digest alone, with CR LF and a byte-order mark, or a whole line', async () => {
    await write({
      'a.tif': 'A',
      'a.tif.md5': `\uFEFF${md5('A').toUpperCase()}\r\n`,
      'b.tif': 'B',
      'b.tif.sha256': `${sha256('B')} *b.tif`,
      'c.tif': 'C',
    })
    const { recorded, unread, problems } = await surveyed()
    expect(problems).toEqual([])
    expect(recorded['a.tif']).toMatchObject({ checksums: [asMd5('A')], recordedFrom: 'a.tif.md5' })
    expect(recorded['b.tif']).toMatchObject({ checksums: [asSha256('B')], recordedFrom: 'b.tif.sha256' })
    expect(unread).toEqual(['a.tif.md5', 'b.tif.sha256', 'c.tif'])
  })

  test('a manifest speaks for its own folder and below, wherever the walk goes in between', async () => {
    await write({
      'p/MD5SUMS': ['p/a', 'p/q/b', 'p/r/c', 'p/gone']
        .map((path) => `${md5(path)}  ${path.slice(2)}\n`)
        .join(''),
      'p/a': 'p/a',
      'p/q/b': 'p/q/b',
      'p/q/other.md5': `${md5('x')}  only-here\n`,
      'p/r/c': 'p/r/c',
      'pp/a': 'x',
    })
    const { recorded, missing, unread } = await surveyed()
    expect(Object.keys(recorded)).toEqual(['p/a', 'p/q/b', 'p/r/c'])
    expect(missing.map(({ path }) => path)).toEqual(['p/q/only-here', 'p/gone'])
    expect(unread).toEqual(['p/MD5SUMS', 'p/q/other.md5', 'pp/a'])
  })

  test('what a manifest names in vain is told as soon as the walk has left its folder', async () => {
    await write({ 'p/MD5SUMS': `${md5('x')}  gone\n`, 'p/q/b': 'b', 'pp/a': 'a', 'q/a': 'a' })
    const order: string[] = []
    for await (const one of survey(createFileSystemStore(root))) order.push(`${one.kind} ${one.path}`)
    expect(order).toEqual(['unread p/MD5SUMS', 'unread p/q/b', 'missing p/gone', 'unread pp/a', 'unread q/a'])
  })

  test('below a prefix only', async () => {
    await write({ 'a/MD5SUMS': `${md5('x')}  x\n`, 'a/x': 'x', 'b/y': 'y' })
    const { recorded, unread } = await surveyed(createFileSystemStore(root), 'a')
    expect([Object.keys(recorded), unread]).toEqual([['a/x'], ['a/MD5SUMS']])
  })

  test('hostile lines: each told with file and line, none followed', async () => {
    const lines = [
      `${md5('x')}  good`,
      'not a line',
      `${md5('x')}  ../out`,
      `${md5('x')}  /etc/passwd`,
      `${md5('x')}  p/../../out`,
      'd41d8cd9  short',
      `${md5('x')}  MD5SUMS`,
      `${md5('x')}  ${'long'.repeat(20_000)}`,
      '',
      '# comment',
    ]
    await write({
      'f/MD5SUMS': Buffer.concat([
        Buffer.from(`${lines.join('\n')}\n${md5('x')}  `),
        Buffer.from([0xff, 0x0a]),
      ]),
      'f/good': 'x',
    })
    const { recorded, missing, problems } = await surveyed()
    expect(Object.keys(recorded)).toEqual(['f/good'])
    // What is no digest names a file all the same.
    expect(missing).toMatchObject([
      { path: 'f/short', checksums: [{ algorithm: 'md5', value: 'd41d8cd9', basis: 'unusable' }] },
    ])
    expect(problems.map((problem) => problem.slice(0, 30))).toEqual([
      'f/MD5SUMS:2: is no checksum li',
      'f/MD5SUMS:3: "../out" leads ou',
      'f/MD5SUMS:4: "/etc/passwd" is ',
      'f/MD5SUMS:5: "p/../../out" lea',
      'f/MD5SUMS:6: "d41d8cd9" is no ',
      'f/MD5SUMS:7: names the manifes',
      'f/MD5SUMS:8: is not utf-8 text',
      'f/MD5SUMS:11: is not utf-8 tex',
    ])
  })

  test('a flood of bad lines is counted, not told one by one', async () => {
    await write({ 'x.md5': 'garbage here\n'.repeat(100_000) })
    const { problems } = await surveyed()
    expect(problems.length).toBe(21)
    expect(problems.at(-1)).toBe('x.md5: 99980 more lines cannot be used')
  })

  test('manifests that disagree: what each says is kept, and it is said', async () => {
    await write({
      a: 'A',
      b: 'B',
      MD5SUMS: `${md5('A')}  a\n${md5('B')}  b\n${md5('x')}  gone\n${md5('y')}  gone\n`,
      'a.md5': md5('other'),
      'a.sha256': sha256('A'),
      'b.md5': md5('other'),
    })
    const { recorded, missing, problems } = await surveyed()
    expect(recorded.a).toMatchObject({
      checksums: [asMd5('A'), asMd5('other'), asSha256('A')],
      recordedFrom: 'MD5SUMS, a.md5, a.sha256',
    })
    expect(recorded.b).toMatchObject({ checksums: [asMd5('B'), asMd5('other')] })
    expect(missing).toMatchObject([
      { path: 'gone', checksums: [asMd5('x'), asMd5('y')], recordedFrom: 'MD5SUMS' },
    ])
    expect(problems).toEqual([
      `a: its manifests disagree on md5: MD5SUMS says ${md5('A')}, a.md5 says ${md5('other')}; none is compared, find out which is right`,
      expect.stringMatching(/^b: its manifests disagree on md5/),
      expect.stringMatching(/^gone: its manifests disagree on md5/),
    ])
  })

  test('a damaged digit stays as it is, and so does what no algorithm of ours is', async () => {
    const broken = `${sha256('A').slice(0, 63)}O`
    await write({
      a: 'A',
      b: 'B',
      c: 'C',
      SHA256SUMS: `${broken}  a\n`,
      'b.sha384': hex('sha384', 'B'),
      b2sums: `${hex('blake2b512', 'C')}  c\n`,
    })
    const { recorded, problems } = await surveyed()
    expect(recorded.a).toMatchObject({
      checksums: [{ algorithm: 'sha-256', value: broken, basis: 'unusable' }],
      recordedFrom: 'SHA256SUMS',
    })
    expect(recorded.b).toMatchObject({ checksums: [{ algorithm: 'sha-384', value: hex('sha384', 'B') }] })
    expect(recorded.c).toMatchObject({
      checksums: [{ algorithm: 'blake2b-512', value: hex('blake2b512', 'C') }],
    })
    expect(problems).toEqual([expect.stringMatching(/^SHA256SUMS:1: .* is no sha-256 digest; it is kept/)])
  })

  test('names of Windows tools are paths, unless a file has the backslash in its name', async () => {
    await write({
      'sub/f1.txt': '1',
      'with\\slash': '2',
      'all.md5': `${md5('1')} *sub\\f1.txt\r\n${md5('2')} *with\\slash\r\n`,
    })
    const { recorded, missing } = await surveyed()
    expect(recorded['sub/f1.txt']).toMatchObject({ checksums: [asMd5('1')] })
    expect(recorded['with\\slash']).toMatchObject({ checksums: [asMd5('2')] })
    expect(missing).toEqual([])
  })

  test('hashdeep: all digests of a line, in the columns of the header', async () => {
    const header = '%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## Invoked from: /srv\n## \n'
    const line = (name: string, content: string) =>
      `${content.length},${md5(content)},${sha256(content)},${name}\n`
    await write({
      'a, b.txt': 'A',
      c: 'C',
      'hashdeep.txt': `${header}${line('./a, b.txt', 'A')}${line('c', 'C')}1,${md5('x')}\n`,
    })
    const { recorded, problems } = await surveyed()
    expect(recorded['a, b.txt']).toMatchObject({ checksums: [asMd5('A'), asSha256('A')] })
    expect(recorded.c).toMatchObject({ checksums: [asMd5('C'), asSha256('C')], recordedFrom: 'hashdeep.txt' })
    expect(problems).toEqual([expect.stringMatching(/^hashdeep.txt:7: is no line of hashdeep/)])
  })

  test('a bag in UTF-16, by its byte order mark or its name; what is none is not followed', async () => {
    const declaration = (encoding: string) => `BagIt-Version: 1.0\nTag-File-Character-Encoding: ${encoding}\n`
    const manifest = `${sha256('é')}  data/é\n`
    const littleEndian = Buffer.from(manifest, 'utf16le')
    await write({
      'one/bagit.txt': declaration('UTF-16'),
      'one/manifest-sha256.txt': Buffer.concat([
        Buffer.from([0xfe, 0xff]),
        Buffer.from(littleEndian).swap16(),
      ]),
      'one/data/é': 'é',
      'two/bagit.txt': declaration('UTF-16LE'),
      'two/manifest-sha256.txt': littleEndian,
      'two/data/é': 'é',
      'three/bagit.txt': declaration('UTF-16LE'),
      'three/manifest-sha256.txt': Buffer.from([0x00, 0xd8, 0x41, 0x00]),
      'three/data/é': 'é',
    })
    const { recorded, unread, problems } = await surveyed()
    for (const bag of ['one', 'two'])
      expect(recorded[`${bag}/data/é`]).toMatchObject({ checksums: [asSha256('é')] })
    expect(unread).toContain('three/data/é')
    expect(problems).toEqual([
      expect.stringMatching(/^three\/manifest-sha256.txt: could not be read.*not UTF-16LE text/),
    ])
  })

  test('a manifest that breaks off while it is read is not followed at all', async () => {
    await write({ a: 'A', b: 'B', MD5SUMS: `${md5('A')}  a\n${md5('B')}  b\n` })
    const real = createFileSystemStore(root)
    const store: ContentStore = {
      ...real,
      read: (path, options, onChunk) => async () => {
        await real.read(path, options, onChunk)()
        return { _tag: 'Left', left: { kind: 'Unreadable', path, reason: 'got 40 of 70 bytes' } }
      },
    }
    const { recorded, unread, missing, problems } = await surveyed(store)
    expect([recorded, missing, unread]).toEqual([{}, [], ['MD5SUMS', 'a', 'b']])
    expect(problems).toEqual([expect.stringMatching(/^MD5SUMS: could not be read.*got 40 of 70 bytes/)])
  })

  test('lines that fall across chunks of any size are whole', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `file-${i}-é`)
    await write({
      ...Object.fromEntries(names.map((name) => [name, name])),
      MD5SUMS: names.map((name) => `${md5(name)}  ${name}`).join('\n'),
    })
    const real = createFileSystemStore(root)
    for (const size of [1, 7, 64]) {
      const store: ContentStore = {
        ...real,
        read: (path, options, onChunk) =>
          real.read(path, options, async (chunk) => {
            const shared = Buffer.alloc(size)
            for (let at = 0; at < chunk.length; at += size) {
              const piece = chunk.subarray(at, at + size)
              shared.set(piece)
              await onChunk(shared.subarray(0, piece.length))
            }
          }),
      }
      const { recorded, problems } = await surveyed(store)
      expect(problems).toEqual([])
      expect(names.map((name) => recorded[name]?.checksums)).toEqual(names.map((name) => [asMd5(name)]))
    }
  })

  test('a listed link to content is recorded, other things that are no content are reported', async () => {
    await write({ a: 'A', MD5SUMS: `${md5('A')}  link\n` })
    await symlink('a', join(root, 'link'))
    const { recorded, skipped, missing } = await surveyed()
    expect(recorded.link).toMatchObject({ size: 1, checksums: [asMd5('A')] })
    expect(skipped).toEqual([{ kind: 'skipped', path: 'link', reason: 'is a symbolic link' }])
    expect(missing).toEqual([])
  })

  test('an empty store has nothing to say', async () => {
    expect(await surveyed()).toEqual({ recorded: {}, unread: [], missing: [], skipped: [], problems: [] })
  })
})
