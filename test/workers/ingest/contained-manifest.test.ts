import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { adler32 } from 'hash-wasm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UnusableContent } from '#src/workers/ingest/files/write-file.ts'
import { checkContents } from '#src/workers/ingest/payload/contained-manifest.ts'

const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
const hold = { signal: new AbortController().signal, progress: () => {} }

/** Files in a folder with a manifest; what is found out of them. */
const check = async (files: Readonly<Record<string, string>>, ...manifest: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-contents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const all: Record<string, string> = { ...files, 'mrt-manifest.txt': [...manifest, '#%eof', ''].join('\n') }
  const listed = Object.entries(all).map(([path, text]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    return { path, size: Buffer.byteLength(text), sha256: hash('sha256', text) }
  })
  return checkContents(folder, listed, 2, hold)
}
const refusal = (...of: Parameters<typeof check>): Promise<string> =>
  check(...of).then(
    () => 'agrees',
    (error: unknown) => (error instanceof UnusableContent ? error.message : `threw ${error}`),
  )

describe('X13 a manifest within a container', () => {
  it('that lists what is there is content, and what it says is kept with each file', async () => {
    const files = { 'a.txt': 'A', 'deep/b c|d.txt': 'B' }
    const modified = '2026-01-31T12:00:00Z'
    const rows = [
      `a.txt | MD5 | ${hash('md5', 'A').toUpperCase()} | 1 | ${modified} | text/plain`,
      `./deep/b%20c%7cd.txt | SHA-256 | ${hash('sha256', 'B')}`,
    ]
    expect(await check(files, '#%checkm_0.7', ...rows)).toMatchObject([
      {
        path: 'a.txt',
        sha256: hash('sha256', 'A'),
        declared: { mimeType: 'text/plain', lastModified: modified, digests: { md5: hash('md5', 'A') } },
      },
      { path: 'deep/b c|d.txt', declared: { digests: { sha256: hash('sha256', 'B') } } },
      { path: 'mrt-manifest.txt' },
    ])
  })

  it('may name files as Windows does', async () => {
    const files = { 'sub/a.txt': 'A', 'sub/deep/b.txt': 'B', 'c\\d.txt': 'C' }
    expect(await refusal(files, '.\\sub\\a.txt', 'sub\\deep\\b.txt', 'c\\d.txt')).toBe('agrees')
    expect(await refusal(files, '.\\sub\\a.txt', 'sub\\deep\\b.txt', '..\\c')).toMatch(
      /is listed in .*, and is not there/,
    )
  })

  it.each([
    ['md5', hash('md5', 'A')],
    ['MD-2', '08e2a3810d8426443ecacaf47aeedd17'],
    ['sha1', hash('sha1', 'A')],
    ['SHA-256', hash('sha256', 'A')],
    ['sha384', hash('sha384', 'A')],
    ['SHA-512', hash('sha512', 'A')],
    ['sha3_256', hash('sha3-256', 'A')],
    ['SHA-512/256', hash('sha512-256', 'A')],
    ['blake2s', hash('blake2s256', 'A')],
    ['crc32', crc32('A').toString(16).padStart(8, '0')],
    ['Adler-32', ''],
  ])('is verified by %s', async (algorithm, given) => {
    const digest = given || (await adler32('A'))
    expect(await refusal({ 'a.txt': 'A' }, `a.txt | ${algorithm} | ${digest}`)).toBe('agrees')
    expect(await refusal({ 'a.txt': 'B' }, `a.txt | ${algorithm} | ${digest}`)).toMatch(
      /^it is not what its mrt-manifest.txt lists: a.txt has the [\w/-]+ digest \w+, and \w+ in mrt-manifest.txt$/,
    )
  })

  it.each<readonly [string, readonly string[], RegExp]>([
    ['lists a file that is not there', ['a.txt', 'b.txt', 'gone.txt'], /gone.txt is listed .* not there/],
    ['does not list one that is', ['b.txt'], /a.txt is there, and is not listed/],
    ['has another case', ['A.txt', 'b.txt'], /A.txt is listed .*; a.txt is there/],
    ['has another size', ['a.txt | | | 2', 'b.txt'], /a.txt has 1 bytes, and 2 in mrt-manifest.txt/],
    ['lists one twice', ['a.txt', './a.txt'], /line 2: the name "a.txt" is listed before/],
    ['has a row without a name', ['| md5'], /line 1: it has no fileName/],
    ['knows another algorithm', ['a.txt | md9 | 00'], /hashAlgorithm md9 is not known/],
    ['names no fileName in its header', ['#%fields | mimeType', 'x'], /the fields lack fileName/],
    ['lists nothing', [], /it lists no file/],
    ['goes on behind its end', ['a.txt', '#%eof', 'b.txt'], /line 3 stands behind "#%eof"/],
  ])('that %s is refused', async (_, manifest, says) => {
    expect(await refusal({ 'a.txt': 'A', 'b.txt': 'B' }, ...manifest)).toMatch(says)
  })

  it('has its header honoured (X7), or the columns of its profile', async () => {
    const md5 = hash('md5', 'A')
    const header = '#%fields | nfo:hashValue | mrt:mimeType | nfo:hashAlgorithm | nfo:fileName'
    expect(await refusal({ 'a.txt': 'A' }, header, `${md5} | text/plain | md5 | a.txt`)).toBe('agrees')
    const profile = '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest'
    expect(await refusal({ 'a.txt': 'A' }, profile, `http://h/x | md5 | ${md5} | 1 | | a.txt`)).toBe('agrees')
  })

  it('takes a name in another Unicode form; names five of many that differ', async () => {
    expect(await refusal({ 'e\u0301.txt': 'A' }, '\u00e9.txt')).toBe('agrees')
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.txt`, 'x']))
    expect(await refusal(many, '0.txt')).toMatch(/; and 2 more$/)
  })
})
