import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import createFileSystemStore from '../../../infra/content/file-system/store.ts'
import type { ContentStore } from '../../../src/ports/content-store.ts'
import { survey } from '../../../src/workers/fixity/survey.ts'
import { asMd5, asSha256, hex, md5, sha256, useSurvey } from './surveying.ts'

const { root, write, surveyed } = useSurvey()

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
      execFileSync(command, [...options, '--', ...names.map((name) => `./files/${name}`)], { cwd: root() })
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
    for await (const one of survey(createFileSystemStore(root()))) order.push(`${one.kind} ${one.path}`)
    expect(order).toEqual(['unread p/MD5SUMS', 'unread p/q/b', 'missing p/gone', 'unread pp/a', 'unread q/a'])
  })

  test("the order is the survey's own: a storage that lists by key alone serves it as well", async () => {
    await write({ 'a/x': 'x', MD5SUMS: `${md5('x')}  a/x\n`, 'a.txt': 'a' })
    const list = () => {
      throw new Error('no order is promised')
    }
    const { recorded, unread } = await surveyed({ ...createFileSystemStore(root()), list })
    expect([Object.keys(recorded), unread]).toEqual([['a/x'], ['MD5SUMS', 'a.txt']])
  })

  test('below a prefix only', async () => {
    await write({ 'a/MD5SUMS': `${md5('x')}  x\n`, 'a/x': 'x', 'b/y': 'y' })
    const { recorded, unread } = await surveyed(createFileSystemStore(root()), 'a')
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
      'f/MD5SUMS:8: is not UTF-8 text',
      'f/MD5SUMS:11: is not UTF-8 tex',
    ])
  })

  test('a flood of bad lines is counted, not told one by one', async () => {
    await write({ 'x.md5': 'garbage here\n'.repeat(100_000) })
    const { problems } = await surveyed()
    expect(problems.length).toBe(21)
    expect(problems.at(-1)).toBe('x.md5: 99980 more lines cannot be used')
  })

  test('a manifest that breaks off while it is read is not followed at all', async () => {
    await write({ a: 'A', b: 'B', MD5SUMS: `${md5('A')}  a\n${md5('B')}  b\n` })
    const real = createFileSystemStore(root())
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
    const real = createFileSystemStore(root())
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
    await symlink('a', join(root(), 'link'))
    const { recorded, skipped, missing } = await surveyed()
    expect(recorded.link).toMatchObject({ size: 1, checksums: [asMd5('A')] })
    expect(skipped).toEqual([{ kind: 'skipped', path: 'link', reason: 'is a symbolic link' }])
    expect(missing).toEqual([])
  })

  test('an empty store has nothing to say', async () => {
    expect(await surveyed()).toEqual({
      recorded: {},
      unread: [],
      missing: [],
      skipped: [],
      bags: [],
      problems: [],
    })
  })
})
