import { describe, expect, it } from 'vitest'
import type { Listed } from '#src/ports/content-store.ts'
import { folderVersions, listDrops, wholeIn } from '#src/workers/ingest/drops/drop-listing.ts'
import { parseDropPlaces } from '#src/workers/ingest/drops/drop-places.ts'

const file = (path: string, etag = 'e', second = 0): Listed => ({
  kind: 'entry',
  entry: {
    path,
    size: 1,
    version: `${etag}/1/${second}`,
    modifiedAt: new Date(second * 1000).toISOString(),
    claims: [],
  },
})

const look = (...listed: readonly Listed[]) =>
  listDrops(
    (async function* () {
      yield* listed
    })(),
    new AbortController().signal,
  )

const names = async (...looks: readonly (readonly Listed[])[]) => {
  let before: ReadonlyMap<string, string> = new Map()
  let whole: readonly string[] = []
  for (const listed of looks) {
    const found = await look(...listed)
    whole = wholeIn(found, before).map(({ name }) => name)
    before = folderVersions(found)
  }
  return whole
}

describe('what is whole below a prefix', () => {
  it('is an object, from the moment that it is listed', async () => {
    expect(await names([file('a.txt')])).toEqual(['a.txt'])
  })

  it('is a folder in which nothing changed since the look before', async () => {
    expect(await names([file('a/1')])).toEqual([])
    expect(await names([file('a/1')], [file('a/1')])).toEqual(['a'])
    expect(await names([file('a/1')], [file('a/1'), file('a/2')])).toEqual([])
    expect(await names([file('a/1'), file('a/2')], [file('a/1')])).toEqual([])
    expect(await names([file('a/1')], [file('a/1', 'other')])).toEqual([])
    expect(await names([file('a/1')], [file('a/x')])).toEqual([])
    expect(await names([], [file('a/1')])).toEqual([])
    expect(await names([file('a/1'), file('a/2')], [file('a/2'), file('a/1')])).toEqual(['a'])
  })

  it('is a folder with a mark that is not older than anything in it; the mark itself is nothing', async () => {
    expect(await names([file('a/1', 'e', 5), file('a.complete', 'm', 5)])).toEqual(['a'])
    expect(await names([file('a/1', 'e', 5), file('a/2', 'e', 6), file('a.complete', 'm', 5)])).toEqual([])
    expect(await names([file('b.complete')])).toEqual([])
    expect(await names([file('ab/1', 'e', 5), file('a.complete', 'm', 9)])).toEqual([])
  })

  it('has a version of its bytes: put again with the same ones it is no news', async () => {
    const versions = async (...listed: readonly Listed[]) =>
      (await look(...listed)).dropped.map(({ version }) => version)
    expect(await versions(file('a', 'e', 1), file('b/1', 'e', 1))).toEqual(
      await versions(file('a', 'e', 9), file('b/1', 'e', 9)),
    )
    expect(await versions(file('a', 'e'))).not.toEqual(await versions(file('a', 'f')))
    // Without an ETag the time is all that tells.
    expect(await versions(file('a', '', 1))).not.toEqual(await versions(file('a', '', 2)))
    // Two files that change places are another folder.
    expect(await versions(file('b/1', 'e'), file('b/2', 'f'))).not.toEqual(
      await versions(file('b/1', 'f'), file('b/2', 'e')),
    )
  })

  it('is not known where the listing breaks off, and names that cannot be taken in are told', async () => {
    const skipped = (path: string): Listed => ({
      kind: 'skipped',
      skipped: { path, reason: 'has an empty segment', mayBeContent: true },
    })
    await expect(look(file('a/1'), skipped('.'))).rejects.toThrow('has an empty segment')
    const mark: Listed = { kind: 'skipped', skipped: { path: 'a/', reason: 'is the mark of a folder' } }
    expect((await look(skipped('a//b'), mark)).skipped).toEqual([
      { path: 'a//b', reason: 'has an empty segment' },
    ])
  })
})

describe('prefixes for drops', () => {
  it('each have a profile', () => {
    expect(parseDropPlaces('default=s3://archive/in, maps=s3://archive/maps/')).toEqual([
      { profile: 'default', address: 's3://archive/in' },
      { profile: 'maps', address: 's3://archive/maps' },
    ])
    expect(parseDropPlaces('')).toEqual([])
  })

  it.each([
    's3://archive/in',
    'default=/srv/in',
    'default=s3://archive',
    'default=s3://archive/in,maps=s3://archive/in',
    'default=s3://archive/in,maps=s3://archive/in/maps',
    '=s3://archive/in',
  ])('are refused: %s', (text) => {
    expect(parseDropPlaces(text)).toBeUndefined()
  })

  it('may begin alike', () => {
    expect(parseDropPlaces('a=s3://archive/in,b=s3://archive/inner')).toHaveLength(2)
  })
})
