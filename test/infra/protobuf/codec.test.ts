import fc from 'fast-check'
import protobuf from 'protobufjs/minimal.js'
import { describe, expect, it } from 'vitest'
import { ProtobufReader } from '#infra/protobuf/reader.ts'
import { createProtobufWriter } from '#infra/protobuf/writer.ts'
import { runs } from '../../runs.ts'

/* What is written is read again, by protobufjs too; and what protobufjs writes is read. */

const most = 2n ** 64n - 1n
const whole = fc.bigInt({ min: 0n, max: most })
const text = fc.string({ unit: 'grapheme', maxLength: 300 })
const bytes = fc.uint8Array({ maxLength: 5000 }).map((given) => Buffer.from(given))
const field = fc.integer({ min: 1, max: 536_870_911 })

/** The fields that `read` names; all others are skipped. */
const fieldsOf = (message: Uint8Array, read: Readonly<Record<number, 'integer' | 'text' | 'bytes'>>) => {
  const reader = new ProtobufReader(message)
  const fields: unknown[] = []
  reader.each(undefined, (number, tag) => {
    const how = read[number]
    if (how === undefined) reader.skip(tag)
    else fields.push(reader[how]())
  })
  return fields
}

const longOf = (value: bigint) => ({
  low: Number(BigInt.asIntN(32, value)),
  high: Number(BigInt.asIntN(32, value >> 32n)),
  unsigned: true,
})

it('whole numbers, texts and bytes that are written are read again', () => {
  const writer = createProtobufWriter()
  fc.assert(
    fc.property(fc.maxSafeNat(), whole, text, bytes, (number, integer, words, content) => {
      writer.message(1, () => {
        writer.number(1, number)
        writer.integer(2, integer)
        writer.text(3, words)
        writer.message(9, () => writer.text(1, words))
        writer.bytes(536_870_911, content)
      })
      const message = writer.finish()
      const [inner] = fieldsOf(message, { 1: 'bytes' }) as [Buffer]
      const read = fieldsOf(inner, { 1: 'integer', 2: 'integer', 3: 'text', 536870911: 'bytes' })
      expect(read).toEqual([BigInt(number), integer, words, content])

      const judge = protobuf.Reader.create(message)
      expect([judge.uint32() >>> 3, judge.uint32() + judge.pos]).toEqual([1, message.length])
      judge.skipType(judge.uint32() & 7)
      judge.skipType(judge.uint32() & 7)
      judge.uint32()
      expect(judge.string()).toBe(words)
    }),
    { numRuns: runs(400) },
  )
})

it('what protobufjs writes is read, whatever its types; groups are skipped', () => {
  fc.assert(
    fc.property(field, whole, text, bytes, (number, integer, words, content) => {
      const other = number === 7 ? 8 : number
      const message = protobuf.Writer.create()
        .uint32(other * 8 + 1)
        .fixed64(longOf(integer))
        .uint32(other * 8 + 3)
        .uint32(7 * 8 + 2)
        .string(words)
        .uint32(other * 8 + 3)
        .uint32(other * 8 + 4)
        .uint32(other * 8 + 4)
        .uint32(other * 8 + 5)
        .fixed32(5)
        .uint32(other * 8)
        .uint64(longOf(integer))
        .uint32(7 * 8)
        .uint64(longOf(integer))
        .uint32(other * 8 + 2)
        .bytes(content)
        .finish()
      expect(fieldsOf(message, { 7: 'integer' })).toEqual([integer])
    }),
    { numRuns: runs(400) },
  )
})

describe('bytes that are no message', () => {
  it.each([
    ['a number that ends too early', [8, 128]],
    ['a number of more than ten bytes', [8, ...Array(11).fill(128), 1]],
    ['a text longer than what is there', [10, 5, 65]],
    ['a length without end', [10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
    ['a group that nothing ends', [11, 8, 1]],
    ['the end of a group that nothing began', [12]],
    ['a wire type that there is not', [14]],
    ['eight bytes of which one is missing', [9, 1, 2, 3, 4, 5, 6, 7]],
  ])('are refused: %s', (_, message) => {
    expect(() => fieldsOf(Uint8Array.from(message), {})).toThrow(RangeError)
  })
})
