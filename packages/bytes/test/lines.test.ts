import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { createLineSplitter, linesOf, textLines } from '../src/lines.ts'

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const readIn = async (bytes: Uint8Array, chunk: number) => {
  const lines: (string | undefined)[] = []
  for await (const { number, text } of textLines(chunksOf(bytes, chunk))) {
    lines.push(text)
    expect(number).toBe(lines.length)
  }
  return lines
}
const splitIn = (encoding: string | undefined, bytes: Uint8Array, size: number) => {
  const lines = createLineSplitter(encoding)
  const found: (string | undefined)[] = []
  for (let at = 0; at < bytes.length; at += size)
    for (const { text } of lines.push(bytes.subarray(at, at + size))) found.push(text)
  for (const { text } of lines.end()) found.push(text)
  return found
}

describe('lines', () => {
  it.each([1, 2, 3, 100])('end in LF or CR LF, in chunks of %i bytes', async (chunk) => {
    expect(await readIn(Buffer.from('\uFEFFone\r\ntwö\n\nlast'), chunk)).toEqual(['one', 'twö', '', 'last'])
    expect(await readIn(Buffer.from('one\n'), chunk)).toEqual(['one'])
    expect(await readIn(Buffer.alloc(0), chunk)).toEqual([])
  })

  it.each(['\n', '\r', '\r\n'])('end in %j alike', async (end) => {
    const bytes = Buffer.from(['one', '', 'twö', 'last', ''].join(end))
    for (const size of [1, 2, 3, 4, 5, 100])
      expect(await readIn(bytes, size)).toEqual(['one', '', 'twö', 'last'])
  })

  it('have one answer, whatever the chunks and the mixture of ends', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'ö', '\r', '\n', '\r\n', '\uFEFF'))
      .map((parts) => parts.join(''))
      .filter((one) => one !== '\uFEFF')
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (written, size) => {
        const all = linesOf(written)
        const ended = all.at(-1) === '' ? all.slice(0, -1) : all
        expect(await readIn(Buffer.from(written), size)).toEqual(ended)
        for (const encoding of ['utf-8', 'utf-16le'] as const)
          expect(splitIn(encoding, Buffer.from(written, encoding), size)).toEqual(ended)
      }),
      { numRuns: runs(200) },
    )
  })

  it.each([1, 2, 3, 100])(
    'are UTF-16 where no encoding is named and its mark stands first, in chunks of %i bytes',
    (chunk) => {
      const little = Buffer.from('\uFEFFä\r\nb', 'utf16le')
      expect(splitIn(undefined, little, chunk)).toEqual(['ä', 'b'])
      expect(splitIn(undefined, Buffer.from(little).swap16(), chunk)).toEqual(['ä', 'b'])
      expect(splitIn(undefined, Buffer.from([0xff]), chunk)).toEqual([undefined])
      expect(splitIn(undefined, Buffer.from('x'), chunk)).toEqual(['x'])
      expect(splitIn('utf-8', little, chunk)).not.toContain('ä')
    },
  )

  it('have no text where they are no UTF-8, or longer than 64 KiB', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 10]), Buffer.alloc(65_537, 'a'), Buffer.from('\nb')])
    expect(await readIn(bytes, 1000)).toEqual([undefined, undefined, 'b'])
    expect(await readIn(Buffer.alloc(65_536, 'a'), 1000)).toEqual(['a'.repeat(65_536)])
  })

  it.each([1, 3, 100])('are read in other encodings, in chunks of %i bytes', (chunk) => {
    const little = Buffer.from('\uFEFFä\nb', 'utf16le')
    expect(splitIn('latin1', Buffer.from('ä\nb', 'latin1'), chunk)).toEqual(['ä', 'b'])
    expect(splitIn('utf-16le', little, chunk)).toEqual(['ä', 'b'])
    expect(splitIn('utf-16', Buffer.from(little).swap16(), chunk)).toEqual(['ä', 'b'])
  })

  it('of malformed UTF-16, and of no known encoding, are refused', () => {
    expect(() => createLineSplitter('utf-16').push(Buffer.from([0x00, 0xdc, 0x00, 0xdc]))).toThrow(TypeError)
    expect(() => createLineSplitter('klingon')).toThrow(RangeError)
  })
})
