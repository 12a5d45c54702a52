import { describe, expect, it } from 'vitest'
import { bytesOf } from '../src/index.ts'

async function* of(...chunks: readonly string[]) {
  for (const chunk of chunks) yield new Uint8Array(Buffer.from(chunk))
}
const text = async (bytes: Promise<Buffer>) => (await bytes).toString()

describe('bytes of chunks', () => {
  it('are taken in any length, fewer at the end and none behind it', async () => {
    const bytes = bytesOf(of('ab', 'c', '', 'defg'))
    expect(await text(bytes.take(1))).toBe('a')
    expect(await text(bytes.take(4))).toBe('bcde')
    expect(await text(bytes.take(9))).toBe('fg')
    expect(await text(bytes.take(1))).toBe('')
  })

  it('are given as they are there, at most so many', async () => {
    const bytes = bytesOf(of('abc', 'd'))
    expect(await text(bytes.some(2))).toBe('ab')
    expect(await text(bytes.some(9))).toBe('c')
    expect(await text(bytes.some(9))).toBe('d')
    expect(await text(bytes.some(9))).toBe('')
  })

  it('are skipped over chunks, and to the end', async () => {
    const bytes = bytesOf(of('ab', 'cd', 'ef'))
    await bytes.skip(3)
    expect(await text(bytes.take(1))).toBe('d')
    await bytes.skip(99)
    expect(await text(bytes.take(1))).toBe('')
  })

  it('are skipped to a mark, wherever chunks end; false where there is none', async () => {
    const bytes = bytesOf(of('..O', 'g', 'gS!Og'))
    expect(await bytes.skipTo(Buffer.from('OggS'))).toBe(true)
    expect(await text(bytes.take(5))).toBe('OggS!')
    expect(await bytes.skipTo(Buffer.from('OggS'))).toBe(false)
  })

  it("pass the source's error on", async () => {
    const bytes = bytesOf(
      (async function* () {
        yield Buffer.from('a')
        throw new Error('the disk is away')
      })(),
    )
    await expect(bytes.take(2)).rejects.toThrow('the disk is away')
  })
})
