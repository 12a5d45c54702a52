import type { Capture } from '@fonds/cdx'
import type { Source } from '@fonds/warc/read'
import { describe, expect, it } from 'vitest'
import {
  arcRecord,
  arcVersion,
  frames,
  packed,
  skippable,
  warcinfo,
  warcRecord,
} from '../../../../packages/warc/test/make-warc.ts'
import { oddArcs } from '../../../../packages/warc/test/odd-arcs.ts'
import { zstdDictionary } from '../../../../packages/warc/test/zstd-dictionary.ts'
import { recordAt } from '../../../../src/workers/indexing/serving/record-at.ts'
import { useReader } from '../read-bytes.ts'

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: (offset, buffer) => bytes.copy(buffer, 0, offset),
})

const warc = [
  warcinfo(),
  warcRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' }),
  warcRecord({ url: 'http://example.com/1' }),
  warcRecord({ type: 'request', block: 'GET /2 HTTP/1.1\r\n\r\n' }),
  warcRecord({ url: 'http://example.com/2', block: Buffer.alloc(5_000_000, 'x') }),
  warcRecord({ url: 'http://example.com/3' }),
]
const arc = [arcVersion(), arcRecord(), arcRecord({ url: 'http://example.com/2' })]

const files: Readonly<Record<string, Buffer>> = {
  'a.warc': Buffer.concat(warc),
  'a.warc.gz': packed(...warc),
  'a.warc.zst': frames(warc),
  'dictionary.warc.zst': Buffer.concat([skippable(zstdDictionary, 0x5d), frames(warc, zstdDictionary)]),
  'a.arc': Buffer.concat(arc),
  'a.arc.gz': packed(...arc),
}

const capturesOf = async (name: string, bytes: Buffer): Promise<readonly Capture[]> => {
  const reading = await useReader({ name }).readBytes(bytes)
  return 'captures' in reading ? reading.captures : expect.fail(reading.reason)
}

it.each(oddArcs)(
  'the record of each line of an ARC file with $name is found at its byte',
  async ({ pieces }) => {
    for (const [name, bytes] of [
      ['a.arc', Buffer.concat(pieces)],
      ['a.arc.gz', packed(...pieces)],
    ] as const)
      for (const capture of await capturesOf(name, bytes))
        expect(await recordAt(sourceOf(bytes), name, capture.offset)).toEqual(capture)
  },
)

describe.each(Object.keys(files))('the record at a byte of %s', (name) => {
  const bytes = files[name]!
  const source = sourceOf(bytes)

  it('is the capture that has its line at that byte', async () => {
    const captures = await capturesOf(name, bytes)
    expect(captures.length).toBeGreaterThan(1)
    for (const capture of captures) expect(await recordAt(source, name, capture.offset)).toEqual(capture)
  })

  it('is none where no capture begins', async () => {
    const captures = await capturesOf(name, bytes)
    for (const { offset, length } of captures)
      for (const at of [offset - 1, offset + length - 1, ...(name === 'a.arc' ? [] : [offset + 1])])
        expect(await recordAt(source, name, at), String(at)).toBe(undefined)
    expect(await recordAt(source, name, 0)).toBe(undefined)
    expect(await recordAt(source, name, bytes.length)).toBe(undefined)
    expect(await recordAt(source, name, bytes.length + 10)).toBe(undefined)
  })
})

it('is none in what is no archive', async () => {
  expect(await recordAt(sourceOf(Buffer.from('no archive')), 'a.warc', 0)).toBe(undefined)
  expect(await recordAt(sourceOf(Buffer.alloc(0)), 'a.warc', 0)).toBe(undefined)
})
