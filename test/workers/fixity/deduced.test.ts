import { createHash } from 'node:crypto'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import type { Checksum } from '#src/domain/fixity/checksum.ts'
import type { ContentEntry } from '#src/ports/content-store.ts'
import { examineByStrongest } from '#src/workers/fixity/examine.ts'
import { multiHash } from '#src/workers/fixity/hash.ts'

/* Digests of one reading follow from the strongest one, as long as nothing speaks against it. */

const digestsOf = async (text: string) => {
  const hash = await multiHash(['sha-256', 'crc64nvme'])
  hash.update(Buffer.from(text))
  return hash.digest()
}
const read = async (text: string): Promise<readonly Checksum[]> =>
  (await digestsOf(text)).map((one) => ({ ...one, basis: 'first-reading' }))
const crcOf = async (text: string) =>
  (await digestsOf(text)).filter(({ algorithm }) => algorithm === 'crc64nvme')

const examined = async (text: string, checksums: readonly Checksum[], claims: readonly Checksum[]) => {
  const entry: ContentEntry = {
    path: 'a',
    size: text.length,
    version: 'v',
    modifiedAt: '2026-01-31T12:00:00.000Z',
    claims,
  }
  const computed: (readonly string[])[] = []
  const seen = await examineByStrongest(
    { stat: () => TE.right(entry) },
    { path: 'a', checksums },
    async (_, wanted) => {
      const algorithms = typeof wanted === 'function' ? wanted(entry) : wanted
      computed.push(algorithms)
      const hash = await multiHash(algorithms)
      hash.update(Buffer.from(text))
      return { status: 'read', bytes: text.length, version: 'v', checksums: hash.digest() }
    },
  )
  const found = seen?.content.status === 'read' ? seen.content.checksums : []
  return { computed, found }
}

describe('a digest that was recorded with a stronger one', () => {
  it('follows from it where the bytes are the same, and the storage claims it', async () => {
    const { computed, found } = await examined('letter', await read('letter'), await crcOf('letter'))
    expect(computed).toEqual([['sha-256']])
    expect(found).toEqual(await digestsOf('letter'))
  })

  it('follows from it where the storage claims nothing', async () => {
    const { computed, found } = await examined('letter', await read('letter'), [])
    expect([computed, found]).toEqual([[['sha-256']], await digestsOf('letter')])
  })

  it('is computed where the bytes are other ones', async () => {
    const { computed, found } = await examined('damage', await read('letter'), await crcOf('letter'))
    expect(computed).toEqual([['sha-256'], ['sha-256', 'crc64nvme']])
    expect(found).toEqual(await digestsOf('damage'))
  })

  it('is computed where the storage claims another value', async () => {
    const { computed, found } = await examined('letter', await read('letter'), await crcOf('damage'))
    expect(computed).toEqual([['sha-256'], ['sha-256', 'crc64nvme']])
    expect(found).toEqual(await digestsOf('letter'))
  })

  it('is computed where a copy of the record has another value', async () => {
    const copy = (await read('damage')).slice(1)
    const { computed } = await examined('letter', [...(await read('letter')), ...copy], [])
    expect(computed).toEqual([['sha-256', 'crc64nvme']])
  })

  it('is computed where somebody else recorded one of them', async () => {
    const [sha, crc] = await read('letter')
    const { computed } = await examined('letter', [{ ...sha!, basis: undefined } as never, crc!], [])
    expect(computed).toEqual([['sha-256', 'crc64nvme']])
  })

  it('is computed beside a digest that two contents may share', async () => {
    const md5 = {
      algorithm: 'md5',
      value: createHash('md5').update('letter').digest('hex'),
      basis: 'first-reading',
    } as const
    const crc = (await read('letter'))[1]!
    expect((await examined('letter', [md5, crc], [])).computed).toEqual([['md5', 'crc64nvme']])
  })

  it('of a claim that nobody recorded is computed in the one reading', async () => {
    const [sha] = await read('letter')
    const { computed } = await examined('letter', [sha!], await crcOf('letter'))
    expect(computed).toEqual([['sha-256', 'crc64nvme']])
  })
})
