import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpResponse, skippable, warcinfo, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { readPath } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'

/* Frames that `zstd` made, and what it makes of the bytes at the places that our lines give. */

const zstd = server('zstd')
const program = 'address' in zstd ? zstd.address : ''

const urls = Array.from({ length: 200 }, (_, i) => `http://example.com/${i}`)
const records = [
  warcinfo(),
  ...urls.map((url, i) =>
    warcRecord({ url, block: httpResponse({ body: `<p>page ${url}</p>\n`.repeat(1 + ((i * 37) % 900)) }) }),
  ),
]

const workFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-zstd-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'records'))
  records.forEach((record, i) => {
    writeFileSync(join(folder, 'records', `${i}`), record)
  })
  return folder
}

describe.skipIf('absent' in zstd)('a WARC file that zstd compressed, record by record', () => {
  it.each([
    ['as it does by itself', [], false],
    ['without checksums', ['--no-check'], false],
    ['with a large window', ['--long=27'], false],
    ['with a dictionary', [], true],
    ['with a dictionary that is compressed itself', [], 'compressed'],
  ] as const)('%s: each line gives the bytes of its record', async (_, options, dictionary) => {
    const folder = workFolder()
    const inFolder = (name: string) => join(folder, name)
    const names = records.map((_, i) => inFolder(`records/${i}`))
    if (dictionary)
      execFileSync(program, ['-q', '--train', ...names, '--maxdict=4096', '-o', inFolder('dictionary')])
    const withDictionary = dictionary ? ['-D', inFolder('dictionary')] : []
    const run = (args: readonly string[], input: Buffer) =>
      execFileSync(program, ['-q', '-c', ...args, ...withDictionary], { input, maxBuffer: 2 ** 26 })
    const frames = records.map((record) => run(options, record))
    const stored = dictionary && readFileSync(inFolder('dictionary'))
    const packed =
      stored &&
      (dictionary === 'compressed' ? execFileSync(program, ['-q', '-c'], { input: stored }) : stored)
    const bytes = Buffer.concat([...(packed ? [skippable(packed, 0x5d)] : []), ...frames])
    const path = inFolder('made.warc.zst')
    writeFileSync(path, bytes)

    const reading = await readPath(path, { name: 'made.warc.zst', kind: 'content' })
    if (!('captures' in reading)) throw new Error(reading.reason)
    expect(reading.captures.map(({ url }) => url)).toEqual(urls)
    for (const [i, { offset, length }] of reading.captures.entries())
      if (i % 20 === 0)
        expect(run(['-d'], bytes.subarray(offset, offset + length)).equals(records[i + 1]!)).toBe(true)
  })
})
