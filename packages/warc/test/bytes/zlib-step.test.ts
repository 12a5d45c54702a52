import { randomBytes } from 'node:crypto'
import { constants, createInflateRaw, deflateRawSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import { createInflater } from '../../src/bytes/inflater.ts'
import { stepsOfHandle } from '../../src/bytes/zlib-step.ts'
import { createZstdDecoder } from '../../src/bytes/zstd-decoder.ts'

const content = Buffer.concat([randomBytes(200_000), Buffer.alloc(900_000, 'abc'), randomBytes(100_000)])

/** All that comes of the bytes, and how many were read. */
const decoded = (
  steps: Pick<ReturnType<typeof createInflater>, 'step' | 'consumed' | 'produced' | 'isEnded'>,
  bytes: Buffer,
  inputBytes: number,
  outputBytes: number,
) => {
  const into = Buffer.alloc(outputBytes)
  const out: Buffer[] = []
  let at = 0
  for (;;) {
    steps.step(bytes, at, Math.min(bytes.length, at + inputBytes), into, 0, into.length)
    at += steps.consumed
    out.push(Buffer.from(into.subarray(0, steps.produced)))
    if (steps.isEnded || (steps.consumed === 0 && steps.produced === 0)) break
  }
  return { output: Buffer.concat(out), used: at }
}

const openInflater = (usesInternals: boolean) => {
  const inflater = createInflater({ usesInternals })
  onTestFinished(() => inflater.close())
  return inflater
}

describe.each([
  ["over the internals of Node's streams", true],
  ['over public calls', false],
])('steps %s', (_, usesInternals) => {
  it('inflate a stream and stop at its end, again and again', () => {
    const inflater = openInflater(usesInternals)
    for (const text of [content, Buffer.from('short'), Buffer.alloc(0), content]) {
      const packed = deflateRawSync(text)
      inflater.begin()
      const { output, used } = decoded(
        inflater,
        Buffer.concat([packed, randomBytes(8)]),
        64 * 1024,
        256 * 1024,
      )
      expect(output.equals(text)).toBe(true)
      expect(used).toBe(packed.length)
      expect(inflater.isEnded).toBe(true)
    }
  })

  it('throw where the stream is damaged, and inflate the next', () => {
    const inflater = openInflater(usesInternals)
    inflater.begin()
    expect(() => decoded(inflater, Buffer.alloc(100, 0xff), 100, 100)).toThrow()
    inflater.begin()
    expect(
      decoded(inflater, Buffer.concat([deflateRawSync('good'), Buffer.alloc(8)]), 100, 100).output.toString(),
    ).toBe('good')
  })

  it('decode frames of Zstandard, one after the other', () => {
    const decoder = createZstdDecoder(27, undefined, { usesInternals })
    onTestFinished(() => decoder.close())
    const steps = Object.assign(decoder, { isEnded: false })
    for (const text of [content, Buffer.from('short'), content]) {
      const frame = zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
      decoder.begin()
      const { output, used } = decoded(steps, frame, 128 * 1024, 256 * 1024)
      expect(output.equals(text)).toBe(true)
      expect(used).toBe(frame.length)
    }
  })
})

it('both kinds of steps give the same, however input and output are cut', () => {
  const [internals, calls] = [openInflater(true), openInflater(false)]
  const size = fc.integer({ min: 1, max: 5000 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4000 }), size, size, (bytes, input, output) => {
      const packed = Buffer.concat([deflateRawSync(Buffer.concat([bytes, bytes])), Buffer.from('trailer')])
      internals.begin()
      calls.begin()
      const [one, other] = [internals, calls].map((steps) => decoded(steps, packed, input, output))
      expect(other).toEqual(one)
    }),
    { numRuns: runs(200) },
  )
})

it('a Node without the internals, or with others, is told', () => {
  const stream = createInflateRaw()
  onTestFinished(() => stream.close())
  expect(stepsOfHandle(stream, true)).toBeDefined()
  for (const other of [
    {},
    { _handle: null },
    { _handle: { writeSync: () => {} } },
    { ...stream, _writeState: [] },
  ])
    expect(stepsOfHandle(other, true)).toBeUndefined()
})
