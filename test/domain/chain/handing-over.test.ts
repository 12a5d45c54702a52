import { expect, it } from 'vitest'
import {
  addListed,
  type Brought,
  countsOf,
  type Listed,
  messagesOf,
  type OfVersion,
} from '#src/domain/chain/handing-over.ts'
import { rulesIn } from '#src/domain/chain/rules.ts'

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string]
const md5 = 'd'.repeat(32)

const brought: Brought = {
  folder: '0a1/ark%3a',
  files: [
    { place: 'v1/content/producer/1.txt', sha256: one },
    { place: 'v1/content/producer/2.txt', sha256: two },
  ],
  records: [{ place: 'v1/inventory.json', sha256: three, size: 7 }],
  shared: [{ place: 'inventory.json', sha256: three, size: 7 }],
}
const of: OfVersion = {
  object: 'ark:/99999/fk4abc',
  version: 1,
  batch: 'b-1',
  store: 'storage',
  isLast: true,
}
const listed = (...files: Parameters<typeof addListed>[1]): Listed => {
  const found: Parameters<typeof addListed>[0] = new Map()
  addListed(found, files)
  return found
}
const dataOf = (files: Listed, changed: Partial<OfVersion> = {}) =>
  [...messagesOf({ ...of, ...changed }, brought, files)].map(({ type, data }) => ({ type, ...data }))

it('content is recorded by its submitter’s digests, else by those of ingest, which is said', () => {
  const files = listed(
    {
      path: 'producer/1.txt',
      size: 5,
      sha256: one,
      declared: { digests: { 'SHA-256': one.toUpperCase(), md5 } },
    },
    { path: 'producer/2.txt', size: 6, sha256: two },
  )
  expect(dataOf(files).slice(0, 2)).toEqual([
    {
      type: 'content.recorded',
      store: 'storage',
      path: '0a1/ark%3a/v1/content/producer/1.txt',
      version: 'ark:/99999/fk4abc v1',
      checksums: [
        { algorithm: 'sha-256', value: one },
        { algorithm: 'md5', value: md5 },
      ],
      size: 5,
      recordedFrom: 'the submitter, batch b-1',
    },
    {
      type: 'content.recorded',
      store: 'storage',
      path: '0a1/ark%3a/v1/content/producer/2.txt',
      version: 'ark:/99999/fk4abc v1',
      checksums: [{ algorithm: 'sha-256', value: two }],
      size: 6,
      recordedFrom: 'ingest, batch b-1',
    },
  ])
})

it('the inventory is a further witness where the submitter gave no SHA-256', () => {
  const files = listed({ path: 'a', size: 5, sha256: one, declared: { digests: { md5 } } })
  expect(dataOf(files).filter(({ type }) => type === 'index.recorded')).toEqual([
    {
      type: 'index.recorded',
      store: 'storage',
      path: '0a1/ark%3a/v1/content/producer/1.txt',
      checksums: [{ algorithm: 'sha-256', value: one }],
      size: 5,
    },
  ])
})

it('digests that nobody can compare are none: a file would never be verified by them', () => {
  const files = listed({
    path: 'a',
    size: 5,
    sha256: one,
    declared: { digests: { crc32: 'x', md5: 'no digest' } },
  })
  expect(dataOf(files)[0]).toMatchObject({
    checksums: [{ algorithm: 'sha-256', value: one }],
    recordedFrom: 'ingest, batch b-1',
  })
})

it('several names of the same bytes give all their digests to one file', () => {
  const files = listed(
    { path: 'a', size: 5, sha256: one, declared: { digests: { md5 } } },
    { path: 'b', size: 5, sha256: one, declared: { digests: { sha256: one, md5 } } },
  )
  expect(dataOf(files)[0]).toMatchObject({
    checksums: [
      { algorithm: 'md5', value: md5 },
      { algorithm: 'sha-256', value: one },
    ],
  })
})

it('a file that no listing has is recorded all the same, without its size', () => {
  expect(dataOf(new Map())[1]).toEqual({
    type: 'content.recorded',
    store: 'storage',
    path: '0a1/ark%3a/v1/content/producer/2.txt',
    version: 'ark:/99999/fk4abc v1',
    checksums: [{ algorithm: 'sha-256', value: two }],
    recordedFrom: 'ingest, batch b-1',
  })
})

it('inventories and what stands at the top are handed over, the top with the last version alone', () => {
  const paths = (changed: Partial<OfVersion>) => dataOf(new Map(), changed).map(({ path }) => path)
  expect(paths({}).slice(2)).toEqual(['0a1/ark%3a/v1/inventory.json', '0a1/ark%3a/inventory.json'])
  expect(paths({ isLast: false }).slice(2)).toEqual(['0a1/ark%3a/v1/inventory.json'])
  expect(countsOf(brought, true)).toEqual({ parts: 3, shared: 1 })
  expect(countsOf(brought, false)).toEqual({ parts: 3, shared: 0 })
})

it.each([
  ['none', []],
  ['fixity', ['fixity']],
  ['indexing, fixity', ['indexing', 'fixity']],
  ['fixity,fixity', undefined],
  ['fixity, everything', undefined],
  ['', undefined],
])('rules in %j', (text, expected) => {
  expect(rulesIn(text)).toEqual(expected)
})
