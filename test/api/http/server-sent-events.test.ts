import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { eventStream, frame } from '../../../src/api/http/server-sent-events.ts'
import { fakeClock, turns } from '../../fakes/clock.ts'

/** An endless source that counts how often it was asked. */
const source = () => {
  const asked = { times: 0, over: false }
  async function* texts() {
    try {
      for (;;) yield frame(BigInt(asked.times++), 'x'.repeat(100_000))
    } finally {
      asked.over = true
    }
  }
  return { asked, texts: texts() }
}
async function* silence(signal: AbortSignal): AsyncGenerator<string> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

const open = (texts: (signal: AbortSignal) => AsyncIterable<string>) => {
  const clock = fakeClock()
  const leaving = new AbortController()
  const handled = eventStream(texts(leaving.signal), { clock, heartbeatMillis: 1000, signal: leaving.signal })
  if (handled._tag === 'Left') throw new Error(handled.left.detail)
  const chunks = (handled.right.body as Readable).iterator()
  const next = async () => String((await chunks.next()).value)
  return { clock, next, chunks, leave: () => leaving.abort() }
}

describe('a stream of events', () => {
  it('reads no further than it is read', async () => {
    const { asked, texts } = source()
    const { next } = open(() => texts)
    expect(await next()).toBe('retry: 2000\n\n')
    await turns(100)
    const before = asked.times
    expect(before).toBeLessThanOrEqual(2)
    await next()
    await turns(100)
    expect(asked.times).toBeLessThanOrEqual(before + 1)
  })

  it('says in silence that it is there, as often as it was told to', async () => {
    const { clock, next } = open(silence)
    await next()
    for (let i = 0; i < 3; i++) {
      const beat = next()
      await clock.advance(1000)
      expect(await beat).toBe(': still here\n\n')
    }
  })

  it('ends its source with the client', async () => {
    const { asked, texts } = source()
    const { next, chunks, leave } = open(() => texts)
    await next()
    leave()
    for (let end = false; !end; ) end = (await chunks.next()).done === true
    expect(asked.over).toBe(true)
  })

  it('does not hide a bug', async () => {
    // biome-ignore lint/correctness/useYield: it fails before there is anything
    const { next } = open(async function* () {
      throw new Error('a bug')
    })
    await next()
    await expect(next()).rejects.toThrow('a bug')
  })
})

it('a frame has its id, and its data on one line', () => {
  expect(frame(7n, { text: 'a\nb', position: 7n })).toBe('id: 7\ndata: {"text":"a\\nb","position":"7"}\n\n')
  expect(frame(7n)).toBe('id: 7\n\n')
})
