import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { fillRing, type RingSource } from '#src/async/threads/ring/fill-ring.ts'
import { createRing, stopRing } from '#src/async/threads/ring/layout.ts'
import type { RingJob, Step } from './ring-thread.ts'

const thread = new Worker(new URL('./ring-thread.ts', import.meta.url))
afterAll(() => thread.terminate())

const whole = randomBytes(3_000_001)
const digestOf = (from: number, to: number) =>
  createHash('sha256').update(whole.subarray(from, to)).digest('hex')

/** Where the source was asked to begin. */
let begins: number[]
beforeEach(() => {
  begins = []
})

const source = (more: Partial<RingSource<string>> = {}, chunkBytes = 65_536): RingSource<string> => ({
  size: whole.length,
  read: async ({ from, to }, give, signal) => {
    begins.push(from)
    for (let at = from; at < to; at += chunkBytes) {
      await give(whole.subarray(at, Math.min(at + chunkBytes, to)))
      if (signal.aborted) return 'aborted'
    }
    return undefined
  },
  isUnchanged: async () => true,
  tooShort: (bytes) => `only ${bytes}`,
  ...more,
})

const run = async (
  steps: readonly Step[],
  from = source(),
  { capacity = 500_000, size = whole.length, onMemory = (_: SharedArrayBuffer) => {} } = {},
): Promise<readonly unknown[]> => {
  const memory = createRing(capacity)
  onMemory(memory)
  const filled = fillRing(memory, from)
  const results = once(thread, 'message').then(([posted]) => posted as readonly unknown[])
  thread.postMessage({ memory, size, steps } satisfies RingJob)
  try {
    return await results
  } finally {
    stopRing(memory)
    await filled
  }
}

const all = { from: 0, to: whole.length }

describe('a ring of bytes', () => {
  it.each([
    [1000, 65_536, 100_000],
    [65_536, 65_536, 7],
    [500_000, 1, 100_000],
    [500_000, 3_000_001, 1_000_000],
    [9_000_000, 65_536, 333],
  ])(
    'of %i, filled by %i and read by %i, gives all bytes once, by one request',
    async (capacity, chunk, buffer) => {
      const part = {
        from: 0,
        to: Math.min(whole.length, chunk === 1 || buffer < 100 ? 300_000 : whole.length),
        buffer,
      }
      expect(await run([part], source({}, chunk), { capacity })).toEqual([digestOf(0, part.to)])
      expect(begins).toEqual([0])
    },
  )

  it('ends where the whole ends', async () => {
    expect(await run([{ from: 2_999_000, to: 4_000_000 }])).toEqual(['ends at 3000001'])
  })

  it('serves what was read last again, and a short gap, without another request', async () => {
    const steps = [
      { from: 0, to: 4 },
      { from: 0, to: 1000, buffer: 1000 },
      { from: 50_000, to: 60_000 },
      { from: 900_000, to: whole.length },
    ]
    expect(await run(steps)).toEqual(steps.map(({ from, to }) => digestOf(from, to)))
    expect(begins).toEqual([0])
  })

  it('asks for a place before, and one far ahead', async () => {
    const steps = [
      { from: 0, to: 700_000 },
      { from: 10, to: 20 },
      { from: 2_900_000, to: 3_000_001 },
      { from: 5, to: 9 },
    ]
    expect(await run(steps)).toEqual(steps.map(({ from, to }) => digestOf(from, to)))
    expect(begins).toEqual([0, 10, 2_900_000, 2_965_536, 5])
  })

  it('asks for little where it was sent to, for more where it reads on, and for nothing that is not wanted', async () => {
    const ranges: [number, number][] = []
    const counted = source({
      read: (range, give, signal) => {
        ranges.push([range.from, range.to])
        return source().read(range, give, signal)
      },
    })
    const steps = [
      { from: 1, to: 100 },
      { from: 1_500_000, to: 1_500_100 },
      { from: 100_000, to: whole.length },
    ]
    expect(await run(steps, counted)).toEqual(steps.map(({ from, to }) => digestOf(from, to)))
    expect(ranges).toEqual([
      [1, 65_537],
      [1_500_000, 1_565_536],
      [100_000, 165_536],
      [165_536, 427_680],
      [427_680, whole.length],
    ])
  })

  it('fails where a source gives fewer bytes than a part of it has', async () => {
    const short = source({
      read: async ({ from }, give) => void (await give(whole.subarray(from, from + 9))),
    })
    expect(await run([{ from: 1, to: 20 }], short)).toEqual([{ failure: 'only 10' }])
  })

  it('leaves a source that waits for its server when another place is asked for', async () => {
    const slow = source({
      read: async (range, give, signal) => {
        begins.push(range.from)
        if (range.from > 0) return source().read(range, give, signal)
        await give(whole.subarray(0, 100))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'aborted'
      },
    })
    expect(
      await run(
        [
          { from: 0, to: 100 },
          { from: 2_000_000, to: 2_000_010 },
        ],
        slow,
      ),
    ).toEqual([digestOf(0, 100), digestOf(2_000_000, 2_000_010)])
  })

  it('passes a failure on, whatever is read already', async () => {
    const failing = source({
      read: async (_, give) => {
        await give(whole.subarray(0, 10))
        return 'no such key'
      },
    })
    const [, failed, again] = await run([{ from: 0, to: 10 }, all, all], failing)
    expect([failed, again]).toEqual([{ failure: 'no such key' }, { failure: 'no such key' }])
  })

  it('fails where a source gives fewer bytes than it has', async () => {
    const short = source({ read: async (_, give) => void (await give(whole.subarray(0, 10))) })
    expect(await run([all], short)).toEqual([{ failure: 'only 10' }])
  })

  it('checks, before and after it is read, and reads on', async () => {
    let isUnchanged = true
    const checked = source({
      isUnchanged: async () => {
        const was = isUnchanged
        isUnchanged = false
        return was
      },
    })
    expect(await run(['check', all, 'check', { from: 5, to: 9 }], checked)).toEqual([
      true,
      digestOf(0, whole.length),
      false,
      digestOf(5, 9),
    ])
    expect(await run(['check'], source({ isUnchanged: async () => ({ failure: 'away' }) }))).toEqual([
      { failure: 'away' },
    ])
  })

  it('wakes a reader that waits when it is stopped', async () => {
    let memory: SharedArrayBuffer | undefined
    const silent = source({
      read: async (_, __, signal) => {
        setImmediate(() => memory && stopRing(memory))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return undefined
      },
    })
    const onMemory = (made: SharedArrayBuffer) => {
      memory = made
    }
    expect(await run([all], silent, { onMemory })).toEqual(['stopped'])
  })

  it('ends its writer when the reader closes it', async () => {
    expect(await run([{ from: 0, to: 10 }, 'close', all])).toEqual([digestOf(0, 10), undefined, 'stopped'])
  })
})
