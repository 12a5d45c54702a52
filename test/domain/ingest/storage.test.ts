import { describe, expect, it } from 'vitest'
import { storageDecider } from '#src/domain/ingest/storage/decide.ts'
import { type FoundRoot, refusalOf, strangeness } from '#src/domain/ingest/storage/refusal.ts'
import { specify } from '../../given.ts'

const at = '2026-01-31T12:00:00.000Z'
const place = { folder: '/srv/storage', host: 'node-1' }
const adopt = { type: 'AdoptRoot', actor: 'ingest@node-1', at, root: 'a', ...place } as const
const adopted = { type: 'StorageRootAdopted', data: { root: 'a', ...place, at } } as const
const given = specify(storageDecider)

describe('which storage root is the archive’s', () => {
  it('is the first that is adopted; the same once more is nothing new', () => {
    given().when(adopt).gives([adopted])
    given(adopted)
      .when({ ...adopt, folder: '/elsewhere' })
      .gives([])
  })

  it('another one takes its place by a person’s word alone', () => {
    const other = { ...adopt, root: 'b' }
    given(adopted).when(other).gives('taken')
    const data = { root: 'b', ...place, at, reason: 'the old disk is dead' }
    given(adopted)
      .when({ ...other, actor: 'ada', reason: data.reason })
      .gives([{ type: 'StorageRootAdopted', data }])
  })
})

const found = (more: Partial<FoundRoot>): FoundRoot => ({
  folder: '/data/storage',
  host: 'node-2',
  root: undefined,
  isEmpty: true,
  ...more,
})
const archives = { root: 'a', ...place }

describe('a root that is not the archive’s is refused, with what to set', () => {
  it.each([
    [
      'an empty one in its place',
      {},
      /no storage root at \/data\/storage, .* \/srv\/storage on node-1: mount/,
    ],
    ['one that has no id', { isEmpty: false }, /has no id, .* set FONDS_INGEST_STORAGE/],
    [
      'another one',
      { root: 'b' },
      /is the storage root b, .* storage root is a, .* set FONDS_INGEST_STORAGE/,
    ],
  ])('%s', (_, more, says) => {
    expect(refusalOf(found(more), archives)).toMatch(says)
  })

  it('the archive’s own is not, wherever it is mounted', () => {
    expect(refusalOf(found({ root: 'a', isEmpty: false }), archives)).toBeUndefined()
    expect(refusalOf(found({ root: 'a' }), archives)).toBeUndefined()
  })
})

describe('the root of an archive that has named none yet', () => {
  it.each([
    ['is made where nothing is stored', {}, false, undefined],
    ['is the one of before, if it holds what the log knows', { isEmpty: false }, true, undefined],
  ])('%s', (_, more, knows, lacks) => {
    expect(strangeness(found(more), knows, lacks)).toBeUndefined()
  })

  it.each([
    [
      'is not an empty one, if the log knows objects',
      {},
      true,
      undefined,
      /no object in .* mount the volume/,
    ],
    ['is not one that lacks them', { isEmpty: false }, true, 'ark:/1 is not there', /not the archive's: ark/],
    ['is not one with objects of others', { isEmpty: false }, false, undefined, /log knows of none: set/],
  ])('%s', (_, more, knows, lacks, says) => {
    expect(strangeness(found(more), knows, lacks)).toMatch(says)
  })
})
