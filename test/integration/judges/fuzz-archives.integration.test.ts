import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import type { Capture } from '@fonds/cdx'
import { describe, expect, it } from 'vitest'
import { inSoak, roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { useReader } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'

/*
 * Archive files of others, cut and with a bit flipped, around each border of their members and at seeded places: nothing crashes, and no
 * line comes of a file that is not whole. Members stand by themselves: so each is read with those beside it, not with the whole file.
 */

const pywb = server('pywb')
const samples = 'address' in pywb ? join(dirname(pywb.address), '../samples') : ''
const names = 'absent' in pywb ? [] : readdirSync(samples).filter((name) => /\.w?arc\.gz$/.test(name))

const near = 64
/** In each file; by `FONDS_TEST_ROUNDS`, more. */
const places = 100 * roundsOr(1, 6)
/** Bytes around a border of which each is tried. */
const always = inSoak(1, 4)

/** Where each gzip member begins, and where the last one ends. */
const bordersOf = (bytes: Buffer): readonly number[] => {
  const borders = [0]
  for (let at = 0; at < bytes.length; ) {
    const flags = bytes[at + 3]!
    let body = at + 10
    if (flags & 4) body += 2 + bytes.readUInt16LE(body)
    if (flags & 8) body = bytes.indexOf(0, body) + 1
    if (flags & 16) body = bytes.indexOf(0, body) + 1
    if (flags & 2) body += 2
    const { engine } = inflateRawSync(bytes.subarray(body), { info: true }) as unknown as {
      engine: { bytesWritten: number }
    }
    at = body + engine.bytesWritten + 8
    borders.push(at)
  }
  return borders
}

describe.skipIf('absent' in pywb).each(names)('%s (indexing W16, W35)', (name) => {
  it('gives no line that the whole file does not have', async () => {
    const { chance } = useSeed()
    const bytes = readFileSync(join(samples, name))
    const borders = bordersOf(bytes)
    const reader = useReader({ name })
    const isArc = name.includes('.arc')

    /** Some members, what they hold, and where they begin; of ARC the first member says what the file is. */
    const around = async (member: number) => {
      const first = Math.max(0, member - 1)
      const head = isArc && first > 0 ? bytes.subarray(0, borders[1]) : Buffer.alloc(0)
      const part = Buffer.concat([
        head,
        bytes.subarray(borders[first], borders[Math.min(member + 2, borders.length - 1)]),
      ])
      const whole = await reader.readBytes(part)
      const begins = head.length - borders[first]!
      return { part, begins, captures: 'captures' in whole ? whole.captures : undefined }
    }
    const tryAt = async ({ part, begins, captures }: Awaited<ReturnType<typeof around>>, place: number) => {
      const at = place + begins
      // What is refused as it stands says nothing.
      if (!captures || at < 0 || at >= part.length) return 0
      const cut = await reader.readBytes(part.subarray(0, at))
      // Between two members a file is whole.
      if ('captures' in cut)
        expectOnly(
          cut.captures,
          captures.filter(({ offset }) => offset < at),
          `${name} cut at ${place}`,
          borders.includes(place),
        )
      const damaged = Buffer.from(part)
      damaged[at]! ^= 1 << Math.floor(chance() * 8)
      const flipped = await reader.readBytes(damaged)
      // A bit of a header of gzip may mean nothing.
      if ('captures' in flipped)
        expectOnly(flipped.captures, captures, `${name} with a bit flipped at ${place}`)
      return 1
    }
    const expectOnly = (found: readonly Capture[], wanted: readonly Capture[], what: string, may = true) => {
      expect(may, what).toBe(true)
      expect(found, what).toEqual(wanted)
    }

    let tried = 0
    const share = Math.max(1, Math.floor((borders.length * 2 * near) / places))
    for (const [member, border] of borders.entries()) {
      const some = await around(Math.min(member, borders.length - 2))
      for (let by = -near; by <= near; by++)
        // Each place within some bytes, and each share-th of the others.
        if (Math.abs(by) <= always || Math.floor(chance() * share) === 0)
          tried += await tryAt(some, border + by)
    }
    const seeded = Math.min(places, bytes.length)
    for (let n = 0; n < seeded / 10; n++) {
      const member = Math.floor(chance() * (borders.length - 1))
      const some = await around(member)
      for (let i = 0; i < 10; i++)
        tried += await tryAt(
          some,
          borders[member]! + Math.floor(chance() * (borders[member + 1]! - borders[member]!)),
        )
    }
    console.log(`${name}: ${borders.length - 1} members, ${tried} places`)
  })
})
