import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import { decodeBagPath, parseFetchLine } from '../../src/bagit/lines.ts'
import { manifestAlgorithm, parseManifestLine } from '../../src/bagit/manifest.ts'
import { checksumFile, parseChecksumLine, unescapeName } from '../../src/checksums/checksum-file.ts'

const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const inMd5Sums = (line: string) => parseChecksumLine(line, { algorithm: 'md5' })
const ok = (algorithm: string, value: string, name: string) => ({ algorithm, value, name })
const bad = (reason: RegExp) => ({ error: expect.stringMatching(reason) })

/** What coreutils writes for a name: a backslash before the line where any character had to be escaped. */
const coreutilsLine = (name: string) => {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return { line: `${escaped === name ? '' : '\\'}${md5}  ${escaped}`, escaped }
}
/** RFC 8493, 2.1.3. */
const encodeBagPath = (path: string) =>
  path.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const anyName = fc.string({
  unit: fc.constantFrom(...'\\\n\r%0ADd25ab *()=/é\u2028'.split('')),
  minLength: 1,
})

describe('checksum files', () => {
  test('are known by their names', () => {
    const known = [
      'a.tif.md5',
      'checksums.SHA1',
      'x.sha256',
      'x.sha512sum',
      'MD5SUMS',
      'md5sums.txt',
      'sha256sum.txt',
      'SHA512SUMS',
      'x.sha512_256',
      'x.sha3-256',
      'X.BLAKE2S',
      'SHA3-256SUMS',
      'b2sums',
    ]
    expect(known.map((name) => checksumFile(name))).toEqual([
      { algorithm: 'md5', sidecarOf: 'a.tif' },
      { algorithm: 'sha-1', sidecarOf: 'checksums' },
      { algorithm: 'sha-256', sidecarOf: 'x' },
      { algorithm: 'sha-512', sidecarOf: 'x' },
      { algorithm: 'md5' },
      { algorithm: 'md5' },
      { algorithm: 'sha-256' },
      { algorithm: 'sha-512' },
      { algorithm: 'sha-512/256', sidecarOf: 'x' },
      { algorithm: 'sha3-256', sidecarOf: 'x' },
      { algorithm: 'blake2s', sidecarOf: 'X' },
      { algorithm: 'sha3-256' },
      { algorithm: 'blake2b' },
    ])
    for (const name of [
      'md5',
      '.md5',
      'a.tif',
      'md5sums.txt.bak',
      'a.md5.gz',
      'manifest-md5.txt',
      'model.md2',
      'a.crc32',
      'a.sha',
      'sums',
    ])
      expect(checksumFile(name)).toBeUndefined()
  })

  test('lines of coreutils: text and binary mode, any case, one space or a tab', () => {
    expect(inMd5Sums(`${md5}  dir/a b.tif`)).toEqual(ok('md5', md5, 'dir/a b.tif'))
    expect(inMd5Sums(`${md5.toUpperCase()} *a.tif`)).toEqual(ok('md5', md5, 'a.tif'))
    expect(inMd5Sums(`${md5}  *a.tif`)).toEqual(ok('md5', md5, '*a.tif'))
    expect(inMd5Sums(`${md5}   a.tif`)).toEqual(ok('md5', md5, ' a.tif'))
    expect(inMd5Sums(`${md5} a.tif`)).toEqual(ok('md5', md5, 'a.tif'))
    expect(inMd5Sums(`${md5}\ta.tif`)).toEqual(ok('md5', md5, 'a.tif'))
  })

  test('lines of BSD and OpenSSL name their own algorithm', () => {
    expect(inMd5Sums(`SHA256 (a (1) = b) = ${sha256}`)).toEqual(ok('sha-256', sha256, 'a (1) = b'))
    expect(inMd5Sums(`SHA2-256(a.tif)= ${sha256}`)).toEqual(ok('sha-256', sha256, 'a.tif'))
    expect(inMd5Sums(`\\MD5 (a\\nb) = ${md5}`)).toEqual({ ...ok('md5', md5, 'a\nb'), isEscaped: true })
    expect(inMd5Sums('BLAKE2b (a) = ABCDEF')).toMatchObject(ok('blake2b', 'ABCDEF', 'a'))
    // cksum of coreutils 9.1, shasum -a 512256 of Perl, sha512t256 of FreeBSD, openssl of OpenSSL 3.0
    for (const name of ['SHA512/256', 'SHA512t256', 'SHA2-512/256', 'sha512_256'])
      expect(inMd5Sums(`${name} (a) = ${sha256}`)).toEqual(ok('sha-512/256', sha256, 'a'))
  })

  test('empty lines and comments say nothing', () => {
    for (const line of ['', '   ', '# made by hand', '; FastSum']) expect(inMd5Sums(line)).toBeUndefined()
  })

  test('a digest alone counts in a sidecar only', () => {
    const sidecar = { algorithm: 'md5', sidecarOf: 'a.tif' }
    // Of standard input: md5sum of coreutils 9.1, openssl md5 of OpenSSL 3.0 and 1.0.
    for (const line of [` ${md5} `, `${md5}  -`, `${md5} *-`, `MD5(stdin)= ${md5}`, `(stdin)= ${md5}`])
      expect(parseChecksumLine(line, sidecar)).toEqual({ ...ok('md5', md5, 'a.tif'), isAlone: true })
    expect(inMd5Sums(`${md5}  -`)).toEqual(bad(/names no file/))
    expect(inMd5Sums(md5)).toEqual(bad(/no checksum line/))
  })

  test('what cannot be used is said', () => {
    expect(inMd5Sums('hello world')).toEqual(bad(/no checksum line/))
    const other = inMd5Sums(`${sha256}  a.tif`)
    expect(other).toEqual({ algorithm: 'md5', value: sha256, isMalformed: true, name: 'a.tif' })
    const broken = `${md5.slice(0, 31)}O`
    expect(inMd5Sums(`${broken}  a.tif`)).toMatchObject({ value: broken, isMalformed: true })
    expect(inMd5Sums(`\\${md5}  a\\tb`)).toEqual(bad(/backslash that escapes nothing/))
    expect(inMd5Sums(`\\${md5}  a\\`)).toEqual(bad(/backslash that escapes nothing/))
    expect(inMd5Sums(`${md5}  a\\tb`)).toEqual(ok('md5', md5, 'a\\tb'))
  })

  test('any name comes back from what coreutils makes of it', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const { line, escaped } = coreutilsLine(name)
        expect(unescapeName(escaped)).toBe(name)
        expect(inMd5Sums(line)).toMatchObject(ok('md5', md5, name))
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('BagIt', () => {
  test('manifests are known by their names', () => {
    expect(
      ['manifest-sha256.txt', 'tagmanifest-md5.txt', 'manifest-SHA512.txt', 'manifest-sha3-256.txt'].map(
        manifestAlgorithm,
      ),
    ).toEqual(['sha-256', 'md5', 'sha-512', 'sha3-256'])
    expect(
      ['manifest-sha3_256.txt', 'manifest-SHA512_256.txt', 'manifest-blake2s.txt', 'manifest-Gost.txt'].map(
        manifestAlgorithm,
      ),
    ).toEqual(['sha3-256', 'sha-512/256', 'blake2s', 'gost'])
    for (const name of ['manifest.txt', 'manifest-md5.txt.bak', 'bagit.txt', 'manifest-.txt'])
      expect(manifestAlgorithm(name)).toBeUndefined()
  })

  test('CR, LF and percent are decoded, nothing else', () => {
    expect(decodeBagPath('data/a%0Ab%0dc%25d%20e%2525')).toBe('data/a\nb\rc%d%20e%25')
  })

  test('any path comes back from its encoding', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const path = `data/${name}`
        expect(decodeBagPath(encodeBagPath(path))).toBe(path)
        expect(parseManifestLine(`${md5}  ${encodeBagPath(path)}`, 'md5')).toMatchObject(ok('md5', md5, path))
      }),
      { numRuns: runs(100) },
    )
  })

  test('lines', () => {
    expect(parseManifestLine(`${md5}\t*data/a b`, 'md5')).toEqual(ok('md5', md5, 'data/a b'))
    expect(parseManifestLine('  ', 'md5')).toBeUndefined()
    expect(parseManifestLine('data/a', 'md5')).toEqual(bad(/no manifest line/))
    expect(parseManifestLine('abc  data/a', 'md5')).toMatchObject({ value: 'abc', isMalformed: true })
  })

  test('what is to be fetched', () => {
    expect(parseFetchLine('https://example.org/a%20b 12 data/a%0Ab c')).toEqual({
      url: 'https://example.org/a%20b',
      size: 12,
      path: 'data/a\nb c',
      written: 'data/a%0Ab c',
    })
    expect(parseFetchLine('https://example.org/a - data/a')).toEqual({
      url: 'https://example.org/a',
      path: 'data/a',
    })
    expect(parseFetchLine('https://example.org/a data/a')).toEqual(bad(/things to fetch/))
  })
})
