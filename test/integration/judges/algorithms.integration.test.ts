import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { algorithms, digestAlgorithm, digestDigits, normaliseDigest } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { describe, expect, it } from 'vitest'
import { multiHash } from '#src/workers/fixity/hash.ts'
import { server } from '../servers.ts'

const judge = server('bagit')

/** Digests that hashlib of Python 3 makes of the bytes, by the names that it has for them. */
const byHashlib = (bytes: Uint8Array): readonly (readonly [name: string, value: string])[] => {
  const python = join(dirname('address' in judge ? judge.address : ''), 'python')
  const text = execFileSync(python, [join(import.meta.dirname, 'judge-digests.py')], {
    input: bytes,
    encoding: 'utf8',
  })
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
}

describe.skipIf('absent' in judge)('digest algorithms', () => {
  it.each([0, 3, 200_000])(
    'have the names and values of hashlib, fixity and ingest alike, of %i bytes',
    async (length) => {
      const bytes = randomBytes(length)
      const fixity = await multiHash(algorithms)
      const ingest = await createDigests(Object.keys(digestDigits) as (keyof typeof digestDigits)[])
      for (const one of [fixity, ingest]) one.update(bytes)
      const computed = new Map(fixity.digest().map(({ algorithm, value }) => [algorithm, value]))
      const declared = ingest.end()
      const judged = byHashlib(bytes)
      expect(judged.length).toBeGreaterThan(20)
      for (const [name, value] of judged) {
        const digest = normaliseDigest({ algorithm: name, value })
        const joined = digestAlgorithm(name, value.length)
        expect([name, digest && computed.get(digest.algorithm)]).toEqual([name, value])
        expect([name, joined && declared.get(joined)]).toEqual([name, value])
        expect(normaliseDigest({ algorithm: name.toUpperCase(), value })).toEqual(digest)
      }
    },
  )
})
