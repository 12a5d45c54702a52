import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkBatch } from '#src/workers/fixity/check-batch.ts'
import { createHashPool, type HashPool } from '#src/workers/fixity/hash-pool.ts'
import { fakeClock } from '../../fakes/clock.ts'
import openScriptedStore, { claimed } from './scripted-store.ts'

const sha256 = (text: string) => ({
  algorithm: 'sha-256',
  value: createHash('sha256').update(text).digest('hex'),
})
const read = (path: string) => ({ status: 'read', size: path.length, checksums: [sha256(path)] })

let pool: HashPool
const openPool = (threads: number, stallMillis: number) => {
  pool = createHashPool({
    threads,
    contentStoreModule: new URL('./scripted-store.ts', import.meta.url),
    stallMillis,
  })
}
beforeEach(() => openPool(1, 300))
afterEach(() => pool.close())

let asked: string[]
/** What is reported of files, each with what became of its bytes. */
const check = async (
  paths: readonly string[],
  {
    isThere = true,
    signal = new AbortController().signal,
    root = 'root',
    size = 1,
    onProgress = () => {},
  } = {},
) => {
  asked = []
  const files = paths.map((path) => ({ path, size, checksums: [sha256('recorded')] }))
  const { observations, ...about } = await checkBatch(
    { batch: 'one', store: 'main', files },
    root,
    {
      pool,
      clock: fakeClock(),
      worker: 'w',
      opened: () => {
        asked.push('opened')
        return openScriptedStore(root.startsWith('wide') ? root : 'root')
      },
      isReportable: async () => isThere,
    },
    { signal, onProgress },
  )
  expect(about).toEqual({ batch: 'one', store: 'main', worker: 'w' })
  return observations
}

describe('files checked together', () => {
  it('are each reported, in their order, with what the storage says', async () => {
    const found = await check(['a', 'b', 'c'])
    expect(found.map(({ path, content }) => [path, content])).toEqual(
      ['a', 'b', 'c'].map((path) => [path, read(path)]),
    )
    expect(found[0]?.storage).toMatchObject({ status: 'present', size: 1, version: 'v1' })
    expect(asked).toEqual(['opened'])
  })

  it('large ones are read by several threads at once, and reported in their order', async () => {
    await pool.close()
    openPool(2, 60_000)
    const paths = ['a', 'together:1', 'together:2', 'b']
    const found = await check(paths, { root: 'two at once', size: 100 * 1024 * 1024 })
    expect(found.map(({ path, content }) => [path, content])).toEqual(paths.map((path) => [path, read(path)]))
  })

  it('in a store that waits on a network, one thread reads several at once, and reports them in their order', async () => {
    // Nothing hangs here, but a busy machine takes its time.
    await pool.close()
    openPool(1, 60_000)
    const paths = ['a', 'together:1', 'together:2', 'b', 'c']
    for (const size of [1, 30 * 1024 * 1024]) {
      const found = await check(paths, { root: 'wide, two at once', size })
      expect(found.map(({ path, content }) => [path, content])).toEqual(
        paths.map((path) => [path, read(path)]),
      )
    }
  })

  it.each(['crash', 'exit', 'hang'])(
    'in such a store, too, only the one at which the thread would %s has failed',
    async (path) => {
      const found = await check([path, 'a', 'b', 'c', `${path}:2`], { root: 'wide' })
      expect(found.map(({ content }) => content.status)).toEqual(['failed', 'read', 'read', 'read', 'failed'])
    },
  )

  it('are not reported where the machine can read nothing', async () => {
    await expect(check(['a', 'machine', 'c'])).rejects.toThrow('too many files are open')
  })

  it('what the storage claims is computed beside what is recorded', async () => {
    const [found] = await check(['claimed'])
    const { content, storage } = found ?? {}
    expect(storage).toMatchObject({ checksums: [claimed] })
    expect(content).toMatchObject({ checksums: [{ algorithm: 'sha-256' }, { algorithm: 'md5' }] })
  })

  it.each([
    ['crash', 'the hashing thread broke'],
    ['exit', 'the hashing thread ended by itself'],
    ['hang', 'no bytes for'],
  ])('one that makes the thread %s is told apart from the others', async (path, error) => {
    const found = await check(['a', path, 'c'])
    expect(found.map(({ content }) => content)).toEqual([
      read('a'),
      { status: 'failed', error: expect.stringContaining(error) },
      read('c'),
    ])
  })

  it.each(['hang', 'block'])('one that makes the thread %s is told apart after one limit', async (path) => {
    let limits = 0
    const { examineAll } = pool
    pool = {
      ...pool,
      examineAll: async (request) => {
        const outcome = await examineAll(request)
        if (outcome.status === 'broken') limits++
        return outcome
      },
      hash: () => expect.fail('it is read again'),
    }
    const found = await check(['a', 'b', path, 'c'])
    expect(limits).toBe(1)
    expect(found.map(({ content }) => content.status)).toEqual(['read', 'read', 'failed', 'read'])
    expect(asked).toEqual(['opened'])
  })

  it('two that hang cost the others nothing, and the work shows progress at each', async () => {
    let words = 0
    const found = await check(['hang', 'a', 'hang:2', 'b'], { onProgress: () => void words++ })
    expect(found.map(({ content }) => content.status)).toEqual(['failed', 'read', 'failed', 'read'])
    expect(words).toBeGreaterThanOrEqual(2)
  })

  it('what is missing, refused or unreadable is told of that file', async () => {
    const found = await check(['missing', 'refused', 'a', 'unreadable'])
    expect(found.map(({ content }) => content.status)).toEqual(['missing', 'failed', 'read', 'failed'])
  })

  it('nothing is said of what is not found while the store is away', async () => {
    const found = await check(['missing', 'a', 'unreadable'], { isThere: false })
    expect(found.map(({ path }) => path)).toEqual(['a'])
    await expect(check(['missing', 'missing too'], { isThere: false })).rejects.toThrow('main is away')
  })

  it('are looked at one by one where the store’s folder cannot be opened', async () => {
    const found = await check(['a', 'missing'], { root: 'no such disk' })
    expect(found.map(({ content }) => content)).toEqual([
      { status: 'failed', error: 'no such disk: mount it' },
      { status: 'missing' },
    ])
  })

  it('that are stopped are not reported', async () => {
    const stopped = new AbortController()
    stopped.abort(new Error('the worker was stopped'))
    await expect(check(['a'], { signal: stopped.signal })).rejects.toThrow('the worker was stopped')
  })

  it('are a light job where all are small objects behind a network', async () => {
    const examined: (boolean | undefined)[] = []
    const { examineAll } = pool
    pool = {
      ...pool,
      examineAll: (request) => {
        examined.push(request.isLight)
        return examineAll(request)
      },
    }
    await check(['a', 'b'], { root: 'wide', size: 4096 })
    await check(['a', 'b'], { root: 'wide', size: 100_000 })
    await check(['a', 'b'], { size: 4096 })
    expect(examined).toEqual([true, false, false])
  })
})
