import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import kafkajs from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { codecs, installCodecs, withinBytes } from '#infra/broker/kafka/codecs/codecs.ts'
import { UnreadableBatch } from '#infra/broker/kafka/codecs/output.ts'
import { runs } from '../../../runs.ts'

const names = ['gzip', 'snappy', 'lz4', 'zstd'] as const
const types = { gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const

/** The compressed part of one batch each, as Kafka's Java producer 4.3.0 sent it (test/integration/java/Producer.java). */
const batches: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/kafka-batches.json'), 'utf8'),
)
const batchOf = (name: (typeof names)[number]) => Buffer.from(batches[name]!, 'base64')

installCodecs()
const decompress = (name: (typeof names)[number], input: Buffer): Promise<Buffer> =>
  kafkajs.CompressionCodecs[types[name]]().decompress(input)

describe.each(names)('%s', (name) => {
  const codec = codecs.get(types[name])!

  it('reads what the Java producer wrote', async () => {
    const text = (await decompress(name, batchOf(name))).toString()
    const numbers = [...text.matchAll(new RegExp(`(\\d+) as ${name}, again and again; `, 'g'))].map(([, n]) =>
      Number(n),
    )
    const records = numbers.length / 20
    expect(records).toBeGreaterThan(20)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.filter((n) => n === numbers[0])).toHaveLength(20)
  })

  it('reads what it wrote, whatever it is', async () => {
    const repeated = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 5000 }))
      .map(([bytes, times]) => Buffer.alloc(bytes.length * times, bytes))
    const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    await fc.assert(
      fc.asyncProperty(fc.oneof(repeated, any), async (input) => {
        const output = await codec.decompress(await codec.compress(input), Math.max(1, input.length))
        expect(output.equals(input)).toBe(true)
      }),
      { numRuns: runs(60) },
    )
  })

  it('stops at the bound, and not a byte before', async () => {
    const input = Buffer.alloc(100_001, 'again ')
    const packed = await codec.compress(input)
    expect((await codec.decompress(packed, 100_001)).length).toBe(100_001)
    await expect(withinBytes(() => decompress(name, packed), 100_001)).resolves.toHaveLength(100_001)
    const refused = withinBytes(() => decompress(name, packed), 100_000)
    await expect(refused).rejects.toThrow('it holds more than 100000 bytes once decompressed')
    await expect(refused).rejects.toBeInstanceOf(UnreadableBatch)
  })

  it('ends with an UnreadableBatch, or with some bytes, where what it reads is damaged', async () => {
    const whole = batchOf(name)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, by, cut) => {
          const damaged = Buffer.from(cut ? whole.subarray(0, at) : whole)
          if (!cut) damaged[at] = damaged[at]! ^ by
          const read = await decompress(name, damaged).catch((error: unknown) => error)
          expect(read instanceof UnreadableBatch || Buffer.isBuffer(read)).toBe(true)
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

it.each(['gzip', 'lz4', 'zstd'] as const)(
  '%s: all frames of a batch are read, within one bound',
  async (name) => {
    const codec = codecs.get(types[name])!
    const whole = Buffer.alloc(200_000, 'frame after frame ')
    const parts = [whole.subarray(0, 1), whole.subarray(1, 150_000), whole.subarray(150_000)]
    const frames = Buffer.concat(await Promise.all(parts.map((part) => codec.compress(part))))
    expect(whole.equals(await decompress(name, frames))).toBe(true)
    await expect(withinBytes(() => decompress(name, frames), 200_000)).resolves.toHaveLength(200_000)
    await expect(withinBytes(() => decompress(name, frames), 199_999)).rejects.toThrow(
      'more than 199999 bytes',
    )
  },
)

it.each(['lz4', 'zstd'] as const)('%s: what is no frame behind one is refused', async (name) => {
  const frame = await codecs.get(types[name])!.compress(Buffer.from('one frame'))
  const behind = Buffer.concat([frame, Buffer.from('and no other')])
  await expect(decompress(name, behind)).rejects.toBeInstanceOf(UnreadableBatch)
})

describe('a fetch', () => {
  it('shares its bound among its batches', async () => {
    const packed = await codecs.get(types.lz4)!.compress(Buffer.alloc(600))
    const two = withinBytes(
      async () => [await decompress('lz4', packed), await decompress('lz4', packed)],
      1000,
    )
    await expect(two).rejects.toThrow('it holds more than 400 bytes')
    await expect(withinBytes(() => decompress('lz4', packed), 1000)).resolves.toHaveLength(600)
  })
})

describe('sizes that are declared', () => {
  it('have nothing allocated for them', () => {
    // 4 GiB in five bytes, then a literal of one byte.
    const snappy = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x61])
    expect(() => codecs.get(types.snappy)!.decompress(snappy, 1 << 20)).toThrow('another length than it says')
    // A literal of 2^32 bytes.
    const literal = Buffer.from([0x01, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x61])
    expect(() => codecs.get(types.snappy)!.decompress(literal, 1 << 20)).toThrow('ends early')
    const lz4 = Buffer.from('04224d186040820a000000f0ffffff0061', 'hex')
    expect(() => codecs.get(types.lz4)!.decompress(lz4, 1 << 20)).toThrow(UnreadableBatch)
  })
})
