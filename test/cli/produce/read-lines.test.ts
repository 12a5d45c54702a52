import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, readLines } from '../../../src/cli/produce/read-lines.ts'

const read = async (chunks: readonly (Uint8Array | string)[], longest = 1000): Promise<Line[]> => {
  const found: Line[] = []
  for await (const lines of readLines(streamOf(chunks), longest)) found.push(...lines)
  return found
}

async function* streamOf<A>(values: readonly A[]): AsyncGenerator<A> {
  yield* values
}

const texts = (lines: readonly Line[]) =>
  lines.map((line) => (line.kind === 'line' ? line.bytes.toString() : line.kind))

const cut = (text: string, sizes: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  let from = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(from, from + size))
    from += size
  }
  return [...chunks, bytes.subarray(from)]
}

test('lines are the same however the bytes are cut', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '💾', ' ') })),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(6)),
      async (wanted, end, sizes) => {
        const found = await read(cut(wanted.map((line) => line + end).join(''), sizes))
        expect(texts(found)).toEqual(wanted)
        expect(found.map(({ number }) => number)).toEqual(wanted.map((_, i) => i + 1))
      },
    ),
  ))

test('the last line needs no end', async () => {
  expect(texts(await read(['a\nb']))).toEqual(['a', 'b'])
  expect(texts(await read(['a\n']))).toEqual(['a'])
  expect(texts(await read([]))).toEqual([])
})

test('a line that is too long comes in parts, is never held whole, and the next lines are found', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 12, max: 200 }), fc.array(fc.nat(30)), async (length, sizes) => {
      const found = await read(cut(`a\n${'x'.repeat(length)}\nb\n`, sizes), 10)
      const parts = found.filter((line) => line.kind === 'part')
      expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe('x'.repeat(length))
      expect(found.filter((line) => line.kind !== 'part')).toEqual([
        { kind: 'line', number: 1, bytes: Buffer.from('a') },
        { kind: 'too-long', number: 2, size: length },
        { kind: 'line', number: 3, bytes: Buffer.from('b') },
      ])
      expect(new Set(parts.map(({ number }) => number))).toEqual(new Set([2]))
    }),
  ))

test('a carriage return at the end does not make a line too long', async () => {
  expect(texts(await read([`${'x'.repeat(10)}\r\n`], 10))).toEqual(['x'.repeat(10)])
})
