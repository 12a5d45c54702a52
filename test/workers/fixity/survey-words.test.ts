import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import createFileSystemStore from '#infra/content/file-system/store.ts'
import { asMd5, asSha256, hex, md5, sha256, useSurvey } from './surveying.ts'

const { root, write, surveyed } = useSurvey()

describe('survey of recorded words', () => {
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

  describe('of one file under two Unicode forms', () => {
    const composed = 'm\u00fcller'
    const decomposed = 'mu\u0308ller'
    const second = 'is named a second time, in another Unicode form'

    test('are kept, both of them: two values are a contradiction, and it is said', async () => {
      await write({
        [decomposed]: 'A',
        SHA256SUMS: `${sha256('A')}  ${composed}\n${sha256('other')}  ${decomposed}\n`,
      })
      const { recorded, missing, problems } = await surveyed()
      expect(recorded[decomposed]).toMatchObject({
        checksums: expect.arrayContaining([asSha256('A'), asSha256('other')]),
      })
      expect(missing).toEqual([])
      expect(problems).toEqual([
        `${decomposed}: ${second}`,
        expect.stringMatching(/its manifests disagree on sha-256/),
      ])
    })

    test('make a bag incomplete, whose values are the same, too; by two manifests they do not', async () => {
      const bag = (sums: object) => ({
        'bag/bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
        [`bag/data/${composed}`]: 'A',
        ...sums,
      })
      const [one, other] = [`data/${composed}`, `data/${decomposed}`]
      await write(bag({ 'bag/manifest-sha256.txt': `${sha256('A')}  ${one}\n${sha256('A')}  ${other}\n` }))
      expect((await surveyed()).problems).toEqual([`bag/${one}: ${second}`])
      expect((await surveyed()).bags).toMatchObject([{ kind: 'bag', path: 'bag', isComplete: false }])
      const apart = {
        'bag/manifest-sha256.txt': `${sha256('A')}  ${one}\n`,
        'bag/manifest-md5.txt': `${md5('A')}  ${other}\n`,
      }
      await write(bag(apart))
      const { recorded, problems, bags } = await surveyed()
      expect(recorded[`bag/${one}`]?.checksums).toHaveLength(2)
      expect([problems, bags]).toMatchObject([[], [{ kind: 'bag', path: 'bag', isComplete: true }]])
    })

    test('belong to two files where there are two', async () => {
      await write({
        [composed]: 'A',
        [decomposed]: 'B',
        SHA256SUMS: `${sha256('A')}  ${composed}\n${sha256('B')}  ${decomposed}\n`,
      })
      const { recorded, problems } = await surveyed()
      expect(recorded[composed]).toMatchObject({ checksums: [asSha256('A')] })
      expect(recorded[decomposed]).toMatchObject({ checksums: [asSha256('B')] })
      expect(problems).toEqual([])
    })

    test('of which only the other form is named, say nothing of a file that has its own', async () => {
      await write({ [composed]: 'A', [decomposed]: 'B', SHA256SUMS: `${sha256('B')}  ${decomposed}\n` })
      const { recorded, unread } = await surveyed()
      expect(recorded[decomposed]).toMatchObject({ checksums: [asSha256('B')] })
      expect(unread).toContain(composed)
    })

    test('that is not there is missing once', async () => {
      await write({ SHA256SUMS: `${sha256('A')}  ${composed}\n${sha256('B')}  ${decomposed}\n` })
      const { missing } = await surveyed()
      expect(missing).toMatchObject([{ checksums: [asSha256('A'), asSha256('B')] }])
    })
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

  test('names that md5sum of GNU escaped on Windows are paths, unless a file has the backslash in its name (F3)', async () => {
    await write({
      'sub/f': 'A',
      'b\\c': 'B',
      'b/c': 'other',
      MD5SUMS: [
        `\\${md5('A')} *sub\\\\f`,
        `\\${md5('B')} *b\\\\c`,
        `\\${md5('x')} *go\\\\ne`,
        `\\${md5('x')} *..\\\\up`,
        `\\${md5('x')} *C:\\\\up`,
      ].join('\n'),
    })
    const { recorded, missing, problems } = await surveyed()
    expect(recorded['sub/f']).toMatchObject({ checksums: [asMd5('A')] })
    expect(recorded['b\\c']).toMatchObject({ checksums: [asMd5('B')] })
    expect(recorded).not.toHaveProperty(['b/c'])
    expect(missing.map(({ path }) => path)).toEqual(['go\\ne'])
    expect(problems).toEqual([
      expect.stringContaining('MD5SUMS:4: "../up" leads out of the manifest'),
      expect.stringContaining('MD5SUMS:5: "C:/up" is absolute'),
    ])
  })

  test('names of Windows tools may begin with .\\ and are looked for in each reading (F3)', async () => {
    await write({
      'sub/f.txt': '1',
      'sub/deep/g.txt': '2',
      'a\\b.txt': '3',
      'C:/x.txt': '4',
      'sums.md5': [
        `${md5('1')} *.\\sub\\f.txt`,
        `${md5('2')} *sub\\deep/g.txt`,
        `\\${md5('3')}  a\\\\b.txt`,
        `${md5('4')} *C:\\x.txt`,
        `${md5('5')} *.\\sub\\gone.txt`,
        `\\${md5('6')}  gone\\\\too.txt`,
      ].join('\r\n'),
    })
    const { recorded, missing, problems } = await surveyed()
    expect(Object.keys(recorded).sort()).toEqual(['C:/x.txt', 'a\\b.txt', 'sub/deep/g.txt', 'sub/f.txt'])
    // An unescaped backslash is of Windows, where no name holds one; coreutils escapes it.
    expect(missing.map(({ path }) => path).sort()).toEqual(['gone\\too.txt', 'sub/gone.txt'])
    expect(problems).toEqual([])
  })

  test('a name that cannot be below the folder is told, and makes no record', async () => {
    const names = [
      '..\\out',
      'C:\\Users\\x\\f.txt',
      'D:/f.txt',
      '\\\\server\\share\\f.txt',
      '\\f.txt',
      '.\\..\\out',
      '.\\',
    ]
    await write({ 'f/sums.md5': names.map((name) => `${md5('x')} *${name}\n`).join(''), 'f/f.txt': 'x' })
    const { recorded, missing, problems } = await surveyed()
    expect([recorded, missing]).toEqual([{}, []])
    expect(
      problems.map((problem) => problem.replace(/^(f\/sums.md5:\d): .*? (is|leads) /, '$1 $2 ')),
    ).toEqual([
      expect.stringMatching(/:1 leads out/),
      ...[2, 3, 4, 5].map((line) => expect.stringMatching(`:${line} is absolute`)),
      expect.stringMatching(/:6 leads out/),
      expect.stringMatching(/:7: .* has an empty/),
    ])
  })

  test('the icon of a folder, whose name ends with CR, is the one of its line', async () => {
    await write({ 'Icon\r': 'A', 'sub/Icon': 'B', MD5SUMS: `${md5('A')}  Icon\r\n${md5('B')}  sub/Icon\n` })
    const { recorded, missing } = await surveyed()
    expect([Object.keys(recorded), missing]).toEqual([['Icon\r', 'sub/Icon'], []])
  })

  describe('a digest alone', () => {
    test('in film.md5 is told beside Film.MOV, and makes no record of a file "film" (F4)', async () => {
      await write({
        'Film.MOV': 'A',
        'film.md5': md5('A'),
        'tape.md5': md5('B'),
        'tape.mov': 'B',
        'Tape.xml': 'C',
      })
      const { recorded, missing, problems } = await surveyed()
      expect(missing).toEqual([])
      expect(recorded['tape.mov']).toMatchObject({ checksums: [asMd5('B')] })
      expect(problems).toEqual([
        'film.md5:1: names no file, and may be of "Film.MOV"; write "<digest>  <name>" instead',
      ])
    })

    test('in film.md5 is of the one film.* (F4)', async () => {
      await write({
        'film.mov': 'A',
        'film.md5': `${md5('A')}\n`,
        'film.sha256': `${sha256('A')}  -\n`,
        'tape.mov': 'B',
        'tape.md5': md5('B'),
        'reel.1.mp4': 'C',
        'reel.1.md5': `MD5(stdin)= ${md5('C')}\n`,
        ['müller.mov'.normalize('NFD')]: 'D',
        'müller.md5': md5('D'),
        film: 'E',
      })
      const { recorded, missing, problems } = await surveyed()
      // A file that has the name itself goes first.
      expect(recorded.film).toMatchObject({ checksums: [asMd5('A'), asSha256('A')] })
      expect(recorded['reel.1.mp4']).toMatchObject({ checksums: [asMd5('C')], recordedFrom: 'reel.1.md5' })
      expect(recorded['tape.mov']).toMatchObject({ checksums: [asMd5('B')] })
      expect(recorded['müller.mov'.normalize('NFD')]).toMatchObject({ checksums: [asMd5('D')] })
      expect({ missing, problems }).toEqual({ missing: [], problems: [] })
    })

    test('that may be of several is told, and nothing is recorded', async () => {
      await write({
        'film.mov': 'A',
        'film.wav': 'B',
        'film.md5': md5('A'),
        'tape.mov.xml': 'C',
        'tape.mov.md5': md5('D'),
      })
      const { recorded, unread, missing, problems } = await surveyed()
      expect([recorded, missing]).toEqual([{}, []])
      expect(unread).toContain('film.mov')
      expect(problems).toEqual([
        'film.md5:1: names no file, and may be of "film.mov" or "film.wav"; write "<digest>  <name>" instead',
        expect.stringMatching(
          /^tape.mov.md5:1: is of "tape.mov" by its name, which is not there, or of "tape.mov.xml"/,
        ),
      ])
    })

    test('of a file that is not there is missing, so that what was lost stays visible', async () => {
      await write({ 'film.mov.md5': md5('A'), 'tape.md5': md5('B'), 'other.mov': 'C' })
      const { missing, problems } = await surveyed()
      expect(missing.map(({ path }) => path)).toEqual(['film.mov', 'tape'])
      expect(problems).toEqual([])
    })

    test('costs no look for each file', async () => {
      const names = Array.from({ length: 200 }, (_, i) => `f${i}`)
      await write(
        Object.fromEntries(
          names.flatMap((name) => [
            [`${name}.md5`, md5(name)],
            [name, name],
          ]),
        ),
      )
      const store = createFileSystemStore(root())
      let looks = 0
      const { recorded } = await surveyed({
        ...store,
        stat: (path) => {
          looks++
          return store.stat(path)
        },
      })
      expect([Object.keys(recorded).length, looks]).toEqual([200, 0])
    })
  })

  test('other files with the names of checksum files are content like any other', async () => {
    await write({
      'hashdeep.1.gz': gzipSync(Buffer.from('man page '.repeat(50))),
      'hashdeep.1': '.TH HASHDEEP 1 "v4.4"\n.SH NAME\nhashdeep, 12 digests\n',
      'hashdeep-4.4.exe': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(3000)]),
      'disk.sha256': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 197) % 256)),
    })
    const { unread, problems } = await surveyed()
    expect([unread.length, problems]).toEqual([4, []])
  })

  test('but a list that was damaged is one: each of its lines is told', async () => {
    await write({
      'hashdeep.txt': `1,${md5('A')},${sha256('A')},a\n`,
      'a.md5': `${md5('A').slice(0, 31)}\u0001\n`,
      'b.md5': Buffer.from([...Buffer.from(md5('B')), 0, 0xff, 0x0a]),
    })
    const { problems } = await surveyed()
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['a.md5', 'b.md5', 'hashdeep.txt'])
  })

  test('an algorithm that is not known here is told once a file; its digests are kept', async () => {
    await write({
      a: 'A',
      b: 'B',
      SUMS: '',
      MD5SUMS: `TIGER (a) = abcd\nTIGER (b) = abcd\nMD5 (b) = ${md5('B')}\n`,
    })
    const { recorded, problems } = await surveyed()
    expect(recorded.a).toMatchObject({ checksums: [{ algorithm: 'tiger', value: 'abcd' }] })
    expect(problems).toEqual([
      'MD5SUMS:1: the algorithm "tiger" is not known here: its digests are kept, and compared with nothing',
    ])
  })

  test.each(['\r', '\r\n', '\n'])(
    'lines end in %j alike, with and without a byte order mark (F2)',
    async (end) => {
      const sums = [`${md5('A')}  a`, `${md5('B')} *b`, ''].join(end)
      const sha = [`SHA256 (a) = ${sha256('A')}`, `SHA256 (b) = ${sha256('B')}`].join(end)
      const both = { checksums: [asMd5('A'), asSha256('A')] }
      for (const text of [
        Buffer.from(sums),
        Buffer.from(`\uFEFF${sums}`),
        Buffer.from(`\uFEFF${sums}`, 'utf16le'),
      ]) {
        await write({ a: 'A', b: 'B', MD5SUMS: text, SHA256SUMS: sha })
        const { recorded, missing, problems } = await surveyed()
        expect(recorded.a).toMatchObject(both)
        expect(recorded.b).toMatchObject({ checksums: [asMd5('B'), asSha256('B')] })
        expect({ missing, problems }).toEqual({ missing: [], problems: [] })
      }
    },
  )

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

  test('hashdeep -l of Windows names files .\\sub\\f.txt, and a redirection writes UTF-16', async () => {
    const text = `\uFEFF%%%% HASHDEEP-1.0\r\n%%%% size,md5,filename\r\n1,${md5('A')},.\\sub\\f.txt\r\n`
    await write({ 'sub/f.txt': 'A', 'hashdeep.txt': Buffer.from(text, 'utf16le') })
    const { recorded, missing, problems } = await surveyed()
    expect(recorded['sub/f.txt']).toMatchObject({ checksums: [asMd5('A')], recordedFrom: 'hashdeep.txt' })
    expect({ missing, problems }).toEqual({ missing: [], problems: [] })
  })

  test('a sidecar that is named after hashdeep is what its ending says', async () => {
    await write({ 'hashdeep.md5': `${md5('A')}  a\n`, a: 'A' })
    const { recorded, problems } = await surveyed()
    expect(recorded.a).toMatchObject({ checksums: [asMd5('A')] })
    expect(problems).toEqual([])
  })
})
