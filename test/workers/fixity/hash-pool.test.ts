import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HashOutcome } from '../../../src/workers/fixity/hash-content.ts'
import { createHashPool, type HashPool } from '../../../src/workers/fixity/hash-pool.ts'
import { createThrottleState } from '../../../src/workers/fixity/throttle.ts'
import { chunkSize, gatedChunks } from './scripted-store.ts'

const scripted = new URL('./scripted-store.ts', import.meta.url)
const fileSystem = new URL('../../../infra/content/file-system/store.ts', import.meta.url)
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

let pool: HashPool
const open = (options: Partial<Parameters<typeof createHashPool>[0]> = {}) => {
  pool = createHashPool({ threads: 1, contentStoreModule: scripted, ...options })
}
afterEach(() => pool.close())

const hash = (path: string, root = 'root', version?: string): Promise<HashOutcome> =>
  pool.hash({ root, path, algorithms: ['sha-256'], ...(version !== undefined && { version }) })

const read = (path: string) => ({
  status: 'read',
  bytes: path.length,
  version: 'v1',
  checksums: [{ algorithm: 'sha-256', value: sha256(path) }],
})

/** A read that goes on at a word. `progressed(n)` resolves when the pool told of the n-th chunk. */
const gated = (name: string) => {
  const gate = new BroadcastChannel(name)
  const told: number[] = []
  let wake = () => {}
  const onProgress = (bytes: number) => {
    told.push(bytes)
    wake()
  }
  return {
    told,
    onProgress,
    go: () => gate.postMessage('go'),
    close: () => gate.close(),
    progressed: async (chunks: number) => {
      while ((told.at(-1) ?? 0) < chunks * chunkSize)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}

describe('hash pool outcomes', () => {
  test('bytes, version and every checksum asked for', async () => {
    open()
    expect(
      await pool.hash({ root: 'r', path: 'content', version: 'v7', algorithms: ['md5', 'crc32c'] }),
    ).toEqual({
      status: 'read',
      bytes: 7,
      version: 'v7',
      checksums: [
        { algorithm: 'md5', value: createHash('md5').update('content').digest('hex') },
        { algorithm: 'crc32c', value: expect.stringMatching(/^[0-9a-f]{8}$/) },
      ],
    })
  })

  test("what the storage claims of these bytes, and a digest to compare it with; the store gets the pool's settings", async () => {
    open({ contentSettings: { claims: 'sha-1' } })
    const sha1 = { algorithm: 'sha-1', value: 'c'.repeat(40) }
    expect(await hash('claimed')).toEqual({
      ...read('claimed'),
      checksums: [
        { algorithm: 'sha-256', value: sha256('claimed') },
        { algorithm: 'sha-1', value: expect.any(String) },
      ],
      claims: [sha1],
    })
  })

  test('failures of the store: missing, refused, unreadable, not to be opened', async () => {
    open()
    expect(await hash('missing')).toEqual({ status: 'missing' })
    expect(await hash('refused')).toEqual({ status: 'failed', error: 'refused: the path is absolute' })
    expect(await hash('unreadable')).toEqual({ status: 'failed', error: 'unreadable: got 3 of 5 bytes' })
    expect(await hash('x', 'no such disk')).toEqual({ status: 'failed', error: 'no such disk: mount it' })
    expect(await hash('x')).toEqual(read('x'))
  })

  test('content that changes is read again from its start, at whatever version stands there then', async () => {
    open()
    expect(await hash('changes:3', 'root', 'v0')).toEqual({
      status: 'read',
      bytes: 1,
      version: 'v4',
      checksums: [{ algorithm: 'sha-256', value: sha256('of an earlier version without a version') }],
    })
  })

  test('content that changes under four readings: changing', async () => {
    open()
    expect(await hash('changes:4')).toEqual({ status: 'changing' })
  })

  test('a module that opens no store, or is not there, fails what was asked and nothing else', async () => {
    for (const module of ['./no-such-store.ts', '../../../src/ports/clock.ts']) {
      open({ contentStoreModule: new URL(module, import.meta.url) })
      for (const path of ['a', 'b'])
        expect(await hash(path)).toMatchObject({
          status: 'failed',
          error: expect.stringContaining(module.split('/').at(-1) ?? ''),
        })
      await pool.close()
    }
  })
})

describe('hash pool threads', () => {
  test.each(['crash', 'exit'])(
    'survives a thread that ends by %s: what waited is hashed by its successor',
    async (end) => {
      open()
      const outcomes = await Promise.all(['before', end, 'after', end, 'last'].map((path) => hash(path)))
      const broken = {
        status: 'failed',
        error: expect.stringMatching(/a bug in the store|ended by itself with code 3/),
      }
      expect(outcomes).toEqual([read('before'), broken, read('after'), broken, read('last')])
    },
  )

  test.each(['hang', 'block'])(
    'a read that gives no byte (%s) ends after the stall time, and the thread is replaced',
    async (how) => {
      open({ stallMillis: 60_000 })
      await hash('warm up')
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const both = Promise.all([hash(how), hash('after')])
        vi.advanceTimersByTime(59_999)
        vi.advanceTimersByTime(1)
        expect(await both).toEqual([
          { status: 'failed', error: expect.stringContaining('no bytes for 60 s') },
          read('after'),
        ])
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('a slow read is not a stalled one: each chunk gives it the whole time again', async () => {
    const slow = gated('slow')
    open({ stallMillis: 60_000 })
    await hash('warm up')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const hashing = pool.hash({
        root: 'slow',
        path: 'gated',
        algorithms: ['crc32c'],
        onProgress: slow.onProgress,
      })
      for (let chunk = 1; chunk <= gatedChunks; chunk++) {
        await slow.progressed(chunk)
        vi.advanceTimersByTime(59_999)
        slow.go()
      }
      expect(await hashing).toMatchObject({ status: 'read', bytes: gatedChunks * chunkSize })
    } finally {
      vi.useRealTimers()
      slow.close()
    }
  })

  test('a read that stalls half-way ends too', async () => {
    const slow = gated('half-way')
    open({ stallMillis: 60_000 })
    await hash('warm up')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const hashing = pool.hash({
        root: 'half-way',
        path: 'gated',
        algorithms: ['crc32c'],
        onProgress: slow.onProgress,
      })
      await slow.progressed(1)
      vi.advanceTimersByTime(60_000)
      expect(await hashing).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('no bytes for 60 s'),
      })
    } finally {
      vi.useRealTimers()
      slow.close()
    }
    expect(await hash('after')).toEqual(read('after'))
  })

  test('threads work side by side', async () => {
    const slow = gated('side by side')
    open({ threads: 2 })
    const hashing = pool.hash({
      root: 'side by side',
      path: 'gated',
      algorithms: ['md5'],
      onProgress: slow.onProgress,
    })
    expect(await Promise.all(['a', 'b', 'c'].map((path) => hash(path)))).toEqual(['a', 'b', 'c'].map(read))
    for (let chunk = 1; chunk <= gatedChunks; chunk++) {
      await slow.progressed(chunk)
      slow.go()
    }
    expect(await hashing).toMatchObject({ status: 'read' })
    expect(slow.told).toEqual([1, 2, 3].map((n) => n * chunkSize))
    slow.close()
  })

  test('an aborted read ends as aborted, the next one is done; one that waits never begins', async () => {
    const slow = gated('aborted')
    open()
    const [first, second] = [new AbortController(), new AbortController()]
    const request = { root: 'aborted', path: 'gated', algorithms: ['md5'] as const }
    const underWay = pool.hash({ ...request, signal: first.signal, onProgress: slow.onProgress })
    const waiting = pool.hash({ ...request, path: 'waiting', signal: second.signal })
    const after = hash('after')
    await slow.progressed(1)
    second.abort()
    expect(await waiting).toEqual({ status: 'aborted' })
    first.abort()
    expect(await underWay).toEqual({ status: 'aborted' })
    expect(await after).toEqual(read('after'))
    expect(await pool.hash({ ...request, signal: AbortSignal.abort() })).toEqual({ status: 'aborted' })
    slow.close()
  })

  test('closing ends what is under way, what waits and what comes later', async () => {
    open()
    const both = Promise.all([hash('hang'), hash('waiting')])
    await pool.close()
    expect(await both).toEqual([{ status: 'aborted' }, { status: 'aborted' }])
    expect(await hash('later')).toEqual({ status: 'aborted' })
  })

  test('a number of threads that is none is refused', () => {
    expect(() => createHashPool({ threads: 0, contentStoreModule: scripted })).toThrow(
      /threads: wants a whole number/,
    )
  })
})

describe('hash pool over the file system', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fonds-hash-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('a thread that reads with blocking calls hears that it is to end, in the middle of a file', async () => {
    await writeFile(join(root, 'long'), '')
    await truncate(join(root, 'long'), 4 * 2 ** 30)
    open({ contentStoreModule: fileSystem })
    const over = new AbortController()
    const told: number[] = []
    const onProgress = (bytes: number) => {
      told.push(bytes)
      over.abort()
    }
    const request = { root, path: 'long', algorithms: ['sha-256'] as const }
    expect(await pool.hash({ ...request, signal: over.signal, onProgress })).toEqual({ status: 'aborted' })
    expect(told.at(-1)).toBeLessThan(4 * 2 ** 30)
  })

  test('agrees with sha256sum and md5sum on files of every size', async () => {
    open({ threads: 2, contentStoreModule: fileSystem })
    const sizes = [0, 1, 4095, 262_143, 262_144, 262_145, 3_000_001]
    for (const size of sizes) await writeFile(join(root, String(size)), randomBytes(size))
    const sums = (command: string) =>
      execFileSync(command, sizes.map(String), { cwd: root, encoding: 'utf8' })
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0])
    const outcomes = await Promise.all(
      sizes.map((size) => pool.hash({ root, path: String(size), algorithms: ['sha-256', 'md5'] })),
    )
    const values = (at: number) =>
      outcomes.map((outcome) => outcome.status === 'read' && outcome.checksums[at]?.value)
    expect(values(0)).toEqual(sums('sha256sum'))
    expect(values(1)).toEqual(sums('md5sum'))
    expect(outcomes.map((outcome) => outcome.status === 'read' && outcome.bytes)).toEqual(sizes)
  })

  test('a throttle is shared by all threads', async () => {
    const rate = 8 * 1024 * 1024
    open({ threads: 2, contentStoreModule: fileSystem, throttle: createThrottleState(rate) })
    for (const name of ['a', 'b']) await writeFile(join(root, name), randomBytes(rate / 8))
    const start = performance.now()
    const outcomes = await Promise.all(
      ['a', 'b'].map((path) => pool.hash({ root, path, algorithms: ['md5'] })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['read', 'read'])
    // A quarter of a second's bytes; the last chunk of them is let through at its start.
    expect(performance.now() - start).toBeGreaterThan(200)
  })
})
