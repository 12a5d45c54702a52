import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileName } from '#src/domain/indexing/file.ts'
import { kindOf } from '#src/domain/indexing/kind.ts'
import { nameOfPart, partOfName } from '#src/domain/kernel/part-name.ts'
import { runs } from '../../runs.ts'

const object = 'ark:/99999/fk4abc'
const texts = [
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '/', '~', '=', '%', '_', '-', '3', 'A', ' ', 'ü', '.') }),
  fc.string({ minLength: 150, maxLength: 400 }),
]
const anyText = fc.oneof(...texts)
const anyPart = fc.record({ object: anyText, path: anyText })

describe('the name of a file of an object', () => {
  it.each([
    ['v1/content/producer/crawl.warc.gz', 'ark~3A=99999=fk4abc~_v1=content=producer=crawl.warc.gz'],
    ['a b=100%~€.warc', 'ark~3A=99999=fk4abc~_a~20b~3D100~25~7E~E2~82~AC.warc'],
    ['', 'ark~3A=99999=fk4abc~_'],
  ])('is its identifier and its path %s, escaped', (path, name) => {
    expect(nameOfPart({ object, path })).toBe(name)
    expect(partOfName(name)).toEqual({ object, path })
  })

  it('of a long path has a digest, the same each time, and its ending', () => {
    const path = `v1/content/producer/${'long/'.repeat(60)}1-metadata-2.warc.gz`
    const name = nameOfPart({ object, path })
    expect(name).toBe(
      [
        'ark~3A=99999=fk4abc~_v1=content=producer=long=long=long=long',
        '5f8c410a1cfcac271b6a12b6f52f42a8a42ab9cf916fe35c8f3ced2558a7116b',
        `${'long='.repeat(16)}1-metadata-2.warc.gz`,
      ].join('~-'),
    )
    expect(partOfName(name)).toBe(undefined)
  })

  it.each(['crawl.warc.gz', 'a~_b~', 'a~_~', 'a~_~41', 'a~_~3a', 'a~_~FF', 'a~_b~_c', 'a~_ b', 'a/b~_c'])(
    'is not %s',
    (name) => {
      expect(partOfName(name)).toBe(undefined)
    },
  )

  it('is a name that an archive file may have, without what a URL would change', () => {
    fc.assert(
      fc.property(anyPart, (part) => {
        const name = nameOfPart(part)
        expect(FileName.is(name)).toBe(true)
        expect(name.length).toBeLessThanOrEqual(240)
        expect(name).toMatch(/^[\w.~=-]+$/)
        expect(new URL(`http://localhost/warc/${name}`).pathname).toBe(`/warc/${name}`)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('is of one file alone', () => {
    fc.assert(
      fc.property(anyPart, anyPart, (one, other) => {
        const isSame = one.object === other.object && one.path === other.path
        expect(nameOfPart(one) === nameOfPart(other)).toBe(isSame)
        const found = partOfName(nameOfPart(one))
        expect(found === undefined ? nameOfPart(one).includes('~-') : found).toEqual(found ? one : true)
      }),
      { numRuns: runs(1000) },
    )
    // The same text, parted elsewhere.
    expect(nameOfPart({ object: 'a/b', path: 'c' })).not.toBe(nameOfPart({ object: 'a', path: 'b/c' }))
  })

  it('says what kind of file it is, as its path does', () => {
    const ending = fc.constantFrom(
      '.warc.gz',
      '.arc',
      '.wacz',
      '-metadata-12.warc.gz',
      '.warc.zst',
      '.txt',
      '',
    )
    fc.assert(
      fc.property(anyPart, ending, ({ object, path }, end) => {
        const part = { object, path: `${path}x${end}` }
        expect(kindOf(nameOfPart(part))).toBe(kindOf(part.path))
      }),
      { numRuns: runs(1000) },
    )
  })
})
