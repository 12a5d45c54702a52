import { describe, expect, it } from 'vitest'
import { createLineSplitter, textLines } from '../src/lines.ts'

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const linesOf = async (bytes: Uint8Array, chunk: number) => {
  const lines: (string | undefined)[] = []
  for await (const { number, text } of textLines(chunksOf(bytes, chunk))) {
    lines.push(text)
    expect(number).toBe(lines.length)
  }
  return lines
}
const splitIn = (encoding: string, bytes: Uint8Array, size: number) => {
  const lines = createLineSplitter(encoding)
  const found: (string | undefined)[] = []
  for (let at = 0; at < bytes.length; at += size)
    for (const { text } of lines.push(bytes.subarray(at, at + size))) found.push(text)
  for (const { text } of lines.end()) found.push(text)
  return found
}

describe('lines', () => {
  it.each([1, 2, 3, 100])('end in LF or CR LF, in chunks of %i bytes', async (chunk) => {
    expect(await linesOf(Buffer.from('\uFEFFone\r\ntwö\n\nlast'), chunk)).toEqual(['one', 'twö', '', 'last'])
    expect(await linesOf(Buffer.from('one\n'), chunk)).toEqual(['one'])
    expect(await linesOf(Buffer.alloc(0), chunk)).toEqual([])
  })

  it('have no text where they are no UTF-8, or longer than 64 KiB', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 10]), Buffer.alloc(65_537, 'a'), Buffer.from('\nb')])
    expect(await linesOf(bytes, 1000)).toEqual([undefined, undefined, 'b'])
    expect(await linesOf(Buffer.alloc(65_536, 'a'), 1000)).toEqual(['a'.repeat(65_536)])
  })

  it.each([1, 3, 100])('are read in other encodings, in chunks of %i bytes', (chunk) => {
    const little = Buffer.from('\uFEFFä\nb', 'utf16le')
    expect(splitIn('latin1', Buffer.from('ä\nb', 'latin1'), chunk)).toEqual(['ä', 'b'])
    expect(splitIn('utf-16le', little, chunk)).toEqual(['ä', 'b'])
    if (chunk > 1) expect(splitIn('utf-16', Buffer.from(little).swap16(), chunk)).toEqual(['ä', 'b'])
  })

  it('of malformed UTF-16, and of no known encoding, are refused', () => {
    expect(() => createLineSplitter('utf-16').push(Buffer.from([0x00, 0xdc, 0x00, 0xdc]))).toThrow(TypeError)
    expect(() => createLineSplitter('klingon')).toThrow(RangeError)
  })
})
