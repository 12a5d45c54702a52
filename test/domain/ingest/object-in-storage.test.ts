import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localIdDecider } from '#src/domain/ingest/local-id/decide.ts'
import { objectDecider } from '#src/domain/ingest/object/decide.ts'
import type { ObjectEvent, ObjectFacts } from '#src/domain/ingest/object/events.ts'
import {
  compareHeads,
  copiesUntold,
  type Difference,
  differences,
  maxDifferences,
} from '#src/domain/ingest/object/storage.ts'
import { specify } from '../../given.ts'
import { ark, batchId, by, sha256, t } from './samples.ts'

const at = t(0)
const held = (digests: readonly (string | undefined)[], strays: readonly string[] = []) => ({
  versions: digests.map((inventoryDigest, i) => ({ version: i + 1, inventoryDigest })),
  strays,
})
const known = (digests: readonly string[]) =>
  digests.map((inventoryDigest, i) => ({ version: i + 1, inventoryDigest }))
const of = (what: Difference['what'], version = 0, file = ''): Difference => ({ what, version, file })

it('compares the last version in storage with the last that the log knows', () => {
  const version = (version: number, inventoryDigest = `d${version}`) => ({ version, inventoryDigest })
  expect(compareHeads(undefined, undefined)).toBe('same')
  expect(compareHeads(version(2), version(2))).toBe('same')
  expect(compareHeads(version(2, 'x'), version(2))).toBe('other')
  for (const behind of [undefined, version(1)]) {
    expect(compareHeads(behind, version(2))).toBe('behind')
    expect(compareHeads(version(2), behind)).toBe('ahead')
  }
})

it('tells of copies that were set aside without an event, wherever the root is mounted', () => {
  const copies = [{ folder: '/mnt/storage.set-aside/x-v2-a' }, { folder: '/mnt/storage.set-aside/x-v3-b' }]
  expect(copiesUntold(copies, ['x-v2-a'])).toEqual([of('copy-without-event', 0, 'x-v3-b')])
  expect(copiesUntold(copies, ['x-v2-a', 'x-v3-b'])).toEqual([])
  const aside: ObjectEvent = {
    type: 'VersionsSetAside',
    data: { keep: 0, folder: '/srv/storage.set-aside/x-v3-b', reason: 'the log was put back', at },
  }
  const differed: ObjectEvent = {
    type: 'StorageDiffered',
    data: { differences: [of('copy-without-event', 0, 'x-v3-b')], at },
  }
  const state = [differed, aside].reduce(objectDecider.evolve, objectDecider.initial)
  expect(state).toMatchObject({ setAside: ['x-v3-b'] })
  expect(state.differences).toBeUndefined()
})

describe('what storage holds, beside what the log knows', () => {
  it.each([
    ['the same', held(['a', 'b']), ['a', 'b'], []],
    ['nothing of either', undefined, [], []],
    ['an object that nobody told of', held(['a', 'b']), [], [of('object-without-event')]],
    ['a version that nobody told of', held(['a', 'b']), ['a'], [of('version-without-event', 2)]],
    ['no object', undefined, ['a'], [of('event-without-object')]],
    ['a version less', held(['a']), ['a', 'b'], [of('event-without-version', 2)]],
    ['another version', held(['a', 'x']), ['a', 'b'], [of('other-inventory', 2)]],
    ['a version that says nothing of itself', held([undefined, 'b']), ['a', 'b'], []],
    ['a file of no version', held(['a'], ['v1/x']), ['a'], [of('file-without-event', 0, 'v1/x')]],
  ] as const)('%s', (_, storage, log, expected) => {
    expect(differences(storage, known(log))).toEqual(expected)
  })

  it('is the same exactly where versions and digests are the same', () => {
    const digests = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })
    fc.assert(
      fc.property(digests, digests, (storage, log) => {
        const found = differences(storage.length > 0 ? held(storage) : undefined, known(log))
        expect(found.length === 0).toBe(storage.join() === log.join())
      }),
    )
  })

  it('lists a bounded number of files', () => {
    const strays = Array.from({ length: maxDifferences + 5 }, (_, n) => `v1/${n}`)
    expect(differences(held(['a'], strays), known(['a']))).toHaveLength(maxDifferences)
  })
})

const object: ObjectFacts = {
  batch: batchId,
  profile: 'letters',
  collection: 'letters',
  owner: 'none',
  localIds: ['loc1'],
  mode: 'add',
}
const file = (n: number) => ({ path: `producer/${n}.tif`, size: 1, sha256 })
const stored = (version: number): ObjectEvent => ({
  type: 'VersionStored',
  data: {
    job: 12,
    fence: 1,
    version,
    inventoryDigest: `d${version}`,
    files: 1,
    bytes: 1,
    listed: [file(0)],
    object,
    at,
  },
})

describe('a look at an object in storage', () => {
  const given = specify(objectDecider)
  const compare = (all: readonly Difference[], versions = 0) =>
    ({ type: 'CompareStorage', differences: all, known: versions, ...by() }) as const
  const differed = (...all: readonly Difference[]): ObjectEvent => ({
    type: 'StorageDiffered',
    data: { differences: all, at },
  })
  const unknown = of('version-without-event', 2)

  it('is an event where something is otherwise than at the last look, and only then', () => {
    given().when(compare([])).gives([])
    given()
      .when(compare([unknown]))
      .gives([differed(unknown)])
    given(differed(unknown))
      .when(compare([unknown]))
      .gives([])
    given(differed(unknown))
      .when(compare([]))
      .gives([{ type: 'StorageAgreed', data: { at } }])
    given(differed(unknown), { type: 'StorageAgreed', data: { at } }).when(compare([])).gives([])
  })

  it('says nothing where a version was recorded since', () => {
    given(stored(1))
      .when(compare([unknown], 0))
      .gives([])
    given(stored(1))
      .when(compare([unknown], 1))
      .gives([differed(unknown)])
  })
})

describe('a version that the log does not know', () => {
  const given = specify(objectDecider)
  const files = (version: number, from: number, count: number) =>
    ({
      type: 'AdoptFiles',
      version,
      from,
      files: Array.from({ length: count }, (_, n) => file(from + n)),
      ...by(),
    }) as const
  const adopted = (version: number, from: number, count: number): ObjectEvent => ({
    type: 'FilesAdopted',
    data: { version, from, files: files(version, from, count).files },
  })
  const adopt = (version: number, all: number, listed: number) =>
    ({
      type: 'AdoptVersion',
      ark,
      version,
      inventoryDigest: `d${version}`,
      files: all,
      bytes: all,
      listed: Array.from({ length: listed }, (_, n) => file(n)),
      object,
      reason: 'the log was put back',
      ...by(),
    }) as const
  const isAdopted = (version: number, all: number, listed: number): ObjectEvent => ({
    type: 'VersionAdopted',
    data: {
      version,
      inventoryDigest: `d${version}`,
      files: all,
      bytes: all,
      listed: adopt(version, all, listed).listed,
      object,
      reason: 'the log was put back',
      at,
    },
  })

  it('is adopted once, with all of its files', () => {
    given()
      .when(adopt(1, 1, 1))
      .gives([isAdopted(1, 1, 1)])
    given(isAdopted(1, 1, 1))
      .when(adopt(1, 1, 1))
      .gives([])
    given()
      .when(adopt(1, 3, 1))
      .gives('incomplete')
    given(adopted(1, 0, 2))
      .when(adopt(1, 3, 1))
      .gives([isAdopted(1, 3, 1)])
    given(stored(1))
      .when(adopt(1, 1, 1))
      .gives([])
  })

  it('has its files listed page by page, and from the beginning where that was not ended', () => {
    given()
      .when(files(1, 0, 2))
      .gives([adopted(1, 0, 2)])
    given(adopted(1, 0, 2))
      .when(files(1, 2, 1))
      .gives([adopted(1, 2, 1)])
    given(adopted(1, 0, 2))
      .when(files(1, 0, 2))
      .gives([adopted(1, 0, 2)])
    given(adopted(1, 0, 2))
      .when(files(1, 5, 1))
      .gives('incomplete')
    given(stored(1))
      .when(files(1, 0, 2))
      .gives([])
  })

  it('is none any more once it is adopted, or set aside: what else differs stays', () => {
    const stray = of('file-without-event', 0, 'v1/x')
    const differed: ObjectEvent = {
      type: 'StorageDiffered',
      data: { differences: [of('version-without-event', 1), stray], at },
    }
    const aside: ObjectEvent = {
      type: 'VersionsSetAside',
      data: { keep: 0, folder: 'storage.set-aside/x', reason: 'the log was put back', at },
    }
    const again = (versions: number) =>
      ({ type: 'CompareStorage', differences: [stray], known: versions, ...by() }) as const
    given(differed, isAdopted(1, 1, 1))
      .when(again(1))
      .gives([])
    given(differed, aside).when(again(0)).gives([])
    given(differed)
      .when({
        type: 'RecordSetAside',
        keep: 0,
        folder: 'storage.set-aside/x',
        reason: 'the log was put back',
        ...by(),
      })
      .gives([aside])
    given(differed)
      .when({ type: 'RecordSetAside', keep: 0, folder: undefined, reason: 'again', ...by() })
      .gives([])
  })
})

describe('the local id of a version that is adopted', () => {
  const given = specify(localIdDecider)
  const adopt = { type: 'AdoptLocalId', ark, ...by() } as const

  it('means its object, unless it means another one', () => {
    given()
      .when(adopt)
      .gives([{ type: 'LocalIdAdopted', data: { ark, at } }])
    given({ type: 'LocalIdAdopted', data: { ark, at } }).when(adopt).gives([])
    given({ type: 'LocalIdBound', data: { job: 3, ark: 'ark:/99999/fk4other', at } })
      .when(adopt)
      .gives('other-ark')
    given({ type: 'LocalIdAdopted', data: { ark, at } })
      .when({ type: 'BindLocalId', job: 3, fence: 1, ark, ...by() })
      .gives([])
  })
})
