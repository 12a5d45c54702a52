import { describe, expect, test } from 'vitest'
import { asMd5, asSha256, hex, md5, sha256, useSurvey } from './surveying.ts'

const { write, surveyed } = useSurvey()

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
      expect((await surveyed()).bags).toEqual([{ kind: 'bag', path: 'bag', isComplete: false }])
      const apart = {
        'bag/manifest-sha256.txt': `${sha256('A')}  ${one}\n`,
        'bag/manifest-md5.txt': `${md5('A')}  ${other}\n`,
      }
      await write(bag(apart))
      const { recorded, problems, bags } = await surveyed()
      expect(recorded[`bag/${one}`]?.checksums).toHaveLength(2)
      expect([problems, bags]).toEqual([[], [{ kind: 'bag', path: 'bag', isComplete: true }]])
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

  test('a sidecar that is named after hashdeep is what its ending says', async () => {
    await write({ 'hashdeep.md5': `${md5('A')}  a\n`, a: 'A' })
    const { recorded, problems } = await surveyed()
    expect(recorded.a).toMatchObject({ checksums: [asMd5('A')] })
    expect(problems).toEqual([])
  })
})
