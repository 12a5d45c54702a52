import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it, vi } from 'vitest'
import type { ContentEntry, ContentFailure, ContentStore } from '#src/ports/content-store.ts'
import { check } from '#src/workers/fixity/check.ts'
import { wantedAlgorithms, withClaimed } from '#src/workers/fixity/examine.ts'
import type { HashOutcome } from '#src/workers/fixity/hash-content.ts'
import { createHashPool, type HashPool } from '#src/workers/fixity/hash-pool.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { gatedChunks } from './scripted-store.ts'

const item = { store: 'main', path: 'a.tif' }
const sha = { algorithm: 'sha-256', value: 'a'.repeat(64) }
const entry = (version = 'v1', more: Partial<ContentEntry> = {}): ContentEntry => ({
  path: item.path,
  size: 3,
  version,
  modifiedAt: '2025-01-01T00:00:00.000Z',
  claims: [],
  ...more,
})
const read = (version = 'v1'): HashOutcome => ({ status: 'read', bytes: 3, version, checksums: [sha] })
const notFound: ContentFailure = { kind: 'NotFound', path: item.path }
const isEntry = (said: ContentEntry | ContentFailure): said is ContentEntry => 'version' in said

/** What is reported where the storage says this (the last word again and again), and the reading comes to that. */
const report = async (
  said: readonly (ContentEntry | ContentFailure)[],
  outcome: HashOutcome,
  job: Partial<Parameters<typeof check>[0]> = {},
) => {
  const words = [...said]
  const asked: Parameters<HashPool['hash']>[0][] = []
  const stat: ContentStore['stat'] = () => async () => {
    const word = words.length > 1 ? words.shift()! : words[0]!
    return isEntry(word) ? right(word) : left(word)
  }
  const pool: HashPool = {
    hash: async (request) => {
      asked.push(request)
      return outcome
    },
    examineAll: async () => ({ status: 'aborted' }),
    start: () => {},
    close: async () => {},
  }
  const tools = { content: { stat } as ContentStore, pool, clock: fakeClock(), worker: 'w' }
  const watch = { signal: new AbortController().signal, onProgress: () => {} }
  const found = await check({ item, root: '/srv', checksums: [sha], ...job }, tools, watch)
  return { found, asked }
}

const present = (version = 'v1') => ({
  status: 'present',
  checksums: [],
  size: 3,
  version,
  modifiedAt: '2025-01-01T00:00:00.000Z',
})

describe('a check reports', () => {
  it('what the bytes are, and what the storage says', async () => {
    const { found } = await report([entry()], read(), { fence: 7 })
    expect(found).toEqual({
      ...item,
      content: { status: 'read', size: 3, checksums: [sha] },
      storage: present(),
      observedAt: '2026-01-01T00:00:00.000Z',
      worker: 'w',
      fence: 7,
    })
  })

  it('that both are missing, without a reading', async () => {
    const { found, asked } = await report([notFound], read())
    expect(found).toMatchObject({ content: { status: 'missing' }, storage: { status: 'missing' } })
    expect(found).not.toHaveProperty('fence')
    expect(asked).toEqual([])
  })

  it('that a marker of deletion is in its place', async () => {
    const { found } = await report([{ ...notFound, isMarked: true }], read())
    expect(found.storage).toEqual({ status: 'missing', isMarked: true })
  })

  it('an archived object without reading it, and which version it is', async () => {
    const { found, asked } = await report([entry('v1', { archived: 'GLACIER', versionId: 'x' })], read())
    expect(found.content).toEqual({ status: 'not-attempted' })
    expect(found.storage).toEqual({ ...present(), archived: 'GLACIER', versionId: 'x' })
    expect(asked).toEqual([])
  })

  it.each<ContentFailure>([
    { kind: 'Refused', path: 'a', reason: 'permission denied' },
    { kind: 'Unreadable', path: 'a', reason: 'permission denied' },
  ])('$kind as a failed attempt, never as missing', async (failure) => {
    const { found } = await report([failure], read())
    expect(found.content).toEqual({ status: 'failed', error: 'permission denied' })
  })

  it('a reading that failed, with the error', async () => {
    const { found } = await report([entry()], { status: 'failed', error: 'input/output error' })
    expect(found).toMatchObject({
      content: { status: 'failed', error: 'input/output error' },
      storage: present(),
    })
  })

  it('what the storage claimed when the bytes were read, where it then claims more', async () => {
    const claims = [{ algorithm: 'md5/parts:3', value: 'b'.repeat(32) }]
    const { found } = await report([entry()], { ...read(), claims } as HashOutcome)
    expect(found.storage).toEqual({ ...present(), checksums: claims })
  })

  it('content that does not hold still', async () => {
    expect((await report([entry()], { status: 'changing' })).found.content).toEqual({ status: 'changing' })
  })

  it('nothing when it was stopped', async () => {
    await expect(report([entry()], { status: 'aborted' })).rejects.toThrow('stopped')
  })
})

describe('between the look and the reading', () => {
  it('replaced: both words are of what stands there now', async () => {
    const { found } = await report([entry('v1', { size: 9 }), entry('v2')], read('v2'))
    expect(found).toMatchObject({ content: { status: 'read', size: 3 }, storage: present('v2') })
  })

  it('replaced, and replaced again: it does not hold still', async () => {
    const { found } = await report([entry('v1'), entry('v3')], read('v2'))
    expect(found).toMatchObject({ content: { status: 'changing' }, storage: present('v3') })
  })

  it('deleted: both are missing', async () => {
    const { found } = await report([entry(), notFound], { status: 'missing' })
    expect(found).toMatchObject({ content: { status: 'missing' }, storage: { status: 'missing' } })
  })

  it('read, then deleted: it does not hold still', async () => {
    expect((await report([entry('v1'), notFound], read('v2'))).found.content).toEqual({ status: 'changing' })
  })

  it('still listed, but not to be read: that is what is reported', async () => {
    const { found } = await report([entry()], { status: 'missing' })
    expect(found).toMatchObject({ content: { status: 'missing' }, storage: present() })
  })
})

describe('wanted digests', () => {
  const md5 = { algorithm: 'md5', value: 'b'.repeat(32) }
  it('are those that are recorded, each once', () => {
    expect(wantedAlgorithms([sha, md5, sha])).toEqual(['sha-256', 'md5'])
  })
  it('are the baseline where nothing that we can compute is recorded', () => {
    expect(wantedAlgorithms([])).toEqual(['sha-256'])
    expect(wantedAlgorithms([{ algorithm: 'blake3', value: 'x' }])).toEqual(['sha-256'])
    expect(wantedAlgorithms([{ algorithm: 'md5', value: '9b2cf535f27731c974343645a3985328-12' }])).toEqual([
      'sha-256',
    ])
  })
  it('are also one that the storage claims, if none of its claims is recorded: a strong one, or a cheap one', () => {
    const sha256 = { algorithm: 'sha-256', value: 'c'.repeat(64) }
    const crc = { algorithm: 'crc64nvme', value: 'd'.repeat(16) }
    const parts = { algorithm: 'md5/parts:5*2', value: 'e'.repeat(32) }
    expect(withClaimed(['sha-256'], [md5, crc])).toEqual(['sha-256', 'crc64nvme'])
    expect(withClaimed(['sha-256'], [md5, sha256])).toEqual(['sha-256'])
    expect(withClaimed(['sha-512'], [parts])).toEqual(['sha-512', 'md5/parts:5*2'])
    for (const useless of [[], [{ algorithm: 'md5/parts', value: 'x' }], [{ ...md5, value: 'x' }]])
      expect(withClaimed(['sha-256'], useless)).toEqual(['sha-256'])
  })
  it('are also those that the storage claims, and are asked of the bytes the storage spoke of', async () => {
    const { asked } = await report([entry('v1', { claims: [md5] })], read())
    expect(asked).toMatchObject([
      { root: '/srv', path: 'a.tif', version: 'v1', algorithms: ['sha-256', 'md5'] },
    ])
  })
})

it('what waits behind a long reading shows progress, so that it is not taken for hung', async () => {
  const pool = createHashPool({
    threads: 1,
    contentStoreModule: new URL('./scripted-store.ts', import.meta.url),
  })
  const gate = new BroadcastChannel('waiting')
  const heard: number[] = []
  let seen = 0
  const ask = (path: string, onProgress: (bytes: number) => void) =>
    pool.hash({ root: 'waiting', path, algorithms: ['sha-256'], onProgress })
  const long = ask('gated', () => seen++)
  const waiting = ask('x', (bytes) => heard.push(bytes))
  for (let chunk = 1; chunk <= gatedChunks; chunk++) {
    await vi.waitUntil(() => seen >= chunk)
    gate.postMessage('go')
  }
  await Promise.all([long, waiting])
  gate.close()
  await pool.close()
  expect(heard.slice(0, gatedChunks)).toEqual(Array(gatedChunks).fill(0))
})
