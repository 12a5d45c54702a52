import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Capture } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { salvageArchive } from '#src/workers/indexing/captures/read-archive.ts'
import {
  arcRecord,
  arcVersion,
  httpResponse,
  packed,
  warcinfo,
  warcRecord,
} from '../../../packages/warc/test/make-warc.ts'
import { server } from '../servers.ts'

/* Records that a salvage found in damaged files, read by cdxj-indexer (on warcio) at the places that our lines give. */

const indexer = server('cdxj-indexer')
const program = 'address' in indexer ? join(dirname(indexer.address), 'cdxj-indexer') : ''

const pages = Array.from({ length: 300 }, (_, i) => ({
  url: `http://example.com/${i}`,
  block: httpResponse({ body: `<p>page ${i}</p>\n`.repeat(1 + ((i * 7) % 90)) }),
}))
const warcs = [warcinfo(), ...pages.map(warcRecord)]
const arcs = [arcVersion(), ...pages.map(arcRecord)]

/** Of a generator that a seed begins. */
const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % below
  }
}

const placesOf = (pieces: readonly Buffer[]) => {
  let end = 0
  return pieces.map(({ length }) => {
    end += length
    return { from: end - length, to: end }
  })
}

const judged = (bytes: Buffer, path: string) => {
  writeFileSync(path, bytes)
  const { stdout } = spawnSync(program, [path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text.slice(text.indexOf('{'))))
    .map(({ url, status, digest }) => ({ url, status, digest: String(digest).replace('sha1:', '') }))
}

describe.skipIf('absent' in indexer)('a salvage of a file that is damaged in many places', () => {
  it.each([
    { name: 'made.warc.gz', pieces: warcs.map((record) => packed(record)), head: 0 },
    { name: 'made.warc', pieces: warcs, head: 0 },
    { name: 'made.arc.gz', pieces: arcs.map((record) => packed(record)), head: 1 },
    { name: 'made.arc', pieces: arcs, head: 1 },
  ])(
    '$name gives all that is unharmed, at places where others find the same records',
    async ({ name, pieces, head }) => {
      const whole = Buffer.concat(pieces)
      const folder = mkdtempSync(join(tmpdir(), 'fonds-salvage-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const path = join(folder, name)
      for (const seed of [1, 2, 3]) {
        const below = random(seed)
        const damaged = Buffer.from(whole)
        for (let i = 0; i < 12; i++) {
          const from = below(whole.length)
          damaged.fill(below(256), from, Math.min(whole.length, from + 1 + below(700)))
        }
        writeFileSync(path, damaged)
        const captures: Capture[] = []
        const salvage = await salvageArchive(
          path,
          { name, kind: 'content' },
          { add: (capture) => void captures.push(capture), keep: () => {}, discard: () => {} },
        )
        if (E.isLeft(salvage)) throw new Error(`seed ${seed}: ${salvage.left.reason}`)
        const unharmed = placesOf(pieces).filter(
          ({ from, to }) => from > 0 && damaged.subarray(from, to).equals(whole.subarray(from, to)),
        )
        expect(
          captures.map(({ offset }) => offset),
          `seed ${seed}`,
        ).toEqual(
          // Where nothing is compressed, damage within a page cannot be seen.
          expect.arrayContaining(unharmed.map(({ from }) => from)),
        )
        if (name.endsWith('.gz')) expect(captures, `seed ${seed}`).toHaveLength(unharmed.length)
        // A line's bytes, and nothing else of the damaged file, behind the head that ARC has.
        const sound = captures.filter(({ offset }) => unharmed.some(({ from }) => from === offset))
        const slices = sound.map(({ offset, length }) => damaged.subarray(offset, offset + length))
        const between = name.endsWith('.warc')
          ? [Buffer.from('\r\n\r\n')]
          : name.endsWith('.arc')
            ? [Buffer.from('\n')]
            : []
        const alone = Buffer.concat([
          ...pieces.slice(0, head),
          ...slices.flatMap((slice) => [slice, ...between]),
        ])
        expect(judged(alone, join(folder, `alone-${name}`)), `seed ${seed}`).toEqual(
          sound.map(({ url, status, digest }) => ({ url, status, digest })),
        )
        const { loss } = salvage.right
        expect(loss?.lost.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(loss?.bytes)
        for (const { from, to } of unharmed)
          expect(
            loss?.lost.some((one) => one.from < to && from < one.to),
            `seed ${seed}`,
          ).toBe(false)
      }
    },
  )
})
