import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finding, groupsOf, type SearchFailure } from '@fonds/sound'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TaskContext } from '#src/async/task-context.ts'
import { Engine } from '#src/domain/research/terms.ts'
import { createSearcher } from '#src/workers/research/search/create-searcher.ts'
import type { Searcher } from '#src/workers/research/searcher.ts'
import { babble, joined, nanos, record, recordingAt } from '../../../../packages/sound/test/search/sounds.ts'
import { played } from '../../../../packages/sound/test/search/textures.ts'

const breaking = new URL('./breaking-thread.ts', import.meta.url)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-searcher-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

let searcher: Searcher
const open = (options: Parameters<typeof createSearcher>[0]) => {
  searcher = createSearcher(options)
}
afterEach(() => searcher.close())

const hold = (signal = new AbortController().signal, progress = () => {}): TaskContext => ({
  signal,
  progress,
})
const nowhere = recordingAt('nowhere', 10)
const named = (...ids: readonly string[]) => ids.map((id) => ({ id, recording: nowhere }))

const outcomes = async (found: AsyncIterable<Finding | SearchFailure>) => {
  const told: Record<string, Finding | SearchFailure> = {}
  for await (const outcome of found) told[outcome.clip] = outcome
  return told
}
const nothing = (clip: string) => ({ clip, matches: [], bestScore: 0 })

describe('in threads', () => {
  test('many clips of one episode, on two threads: each is told of, with progress', async () => {
    open({ threads: 2 })
    const clips = Array.from({ length: 7 }, (_, i) => babble(0.8, 30 + i))
    const episode = await record(folder, 'episode', joined(babble(1, 1), ...clips, babble(1, 2)))
    const wanted = await Promise.all(
      clips.map(async (clip, i) => ({ id: String(i), recording: await record(folder, `clip-${i}`, clip) })),
    )
    const progress = vi.fn()
    const told = await outcomes(searcher.search(episode, wanted, hold(undefined, progress)))
    for (const [i] of clips.entries())
      expect(told[i]).toEqual({
        clip: String(i),
        matches: [{ offset: nanos(1 + 0.8 * i), score: 1 }],
        bestScore: 1,
      })
    expect(progress).toHaveBeenCalled()
  })

  test('no clips: nothing is told, and it ends', async () => {
    open({ threads: 1 })
    expect(await outcomes(searcher.search(nowhere, [], hold()))).toEqual({})
  })

  test('an episode that is not there fails each of its clips, and no other search', async () => {
    open({ threads: 1 })
    const sound = await record(folder, 'sound', babble(1, 1))
    const lost = searcher.search(nowhere, named('a', 'b'), hold())
    const good = searcher.search(sound, [{ id: 'c', recording: sound }], hold())
    const enoent = { error: expect.stringContaining('ENOENT') }
    expect(await Promise.all([outcomes(lost), outcomes(good)])).toMatchObject([
      { a: enoent, b: enoent },
      { c: { matches: [{ offset: 0, score: 1 }] } },
    ])
  })

  test('X9: the engine says what it is, as results tell it', () => {
    open({ threads: 1 })
    expect(Engine.is(searcher.engine)).toBe(true)
    expect(searcher.engine).toMatchObject({
      name: 'correlator',
      settings: expect.stringContaining('rate=8000'),
    })
  })

  test('X9: one that looks for drift is another version', () => {
    open({ threads: 1, drift: 0.0007 })
    expect(Engine.is(searcher.engine)).toBe(true)
    expect(searcher.engine).toMatchObject({
      name: 'correlator',
      version: '3-drift-0.07',
      settings: expect.stringContaining('speeds up to 0.07 % off'),
    })
  })

  test('it finds a clip that the episode plays faster', async () => {
    open({ threads: 1, drift: 0.01 })
    const sound = babble(2, 8)
    const clip = await record(folder, 'at its speed', sound)
    const faster = Int16Array.from(played(Float32Array.from(sound), 1.004), Math.round)
    const episode = await record(folder, 'faster', joined(babble(1, 1), faster, babble(1, 2)))
    expect(await outcomes(searcher.search(episode, [{ id: 'a', recording: clip }], hold()))).toEqual({
      a: {
        clip: 'a',
        matches: [
          {
            offset: expect.closeTo(nanos(1), -5),
            score: expect.closeTo(1, 2),
            speed: expect.closeTo(1.004, 5),
          },
        ],
        bestScore: expect.closeTo(1, 2),
      },
    })
  })
})

describe('threads that break', () => {
  test.each([
    ['breaks', 'a bug in the search'],
    ['ends', 'ended by itself with code 3'],
  ])('a clip at which the thread %s fails by itself; those with it are searched again', async (bad, why) => {
    open({ threads: 1, threadModule: breaking })
    const told = await outcomes(searcher.search(nowhere, named('a', bad, 'b', 'c'), hold()))
    expect(told).toEqual({
      a: nothing('a'),
      b: nothing('b'),
      c: nothing('c'),
      [bad]: { clip: bad, error: expect.stringContaining(why) },
    })
  })

  test('a thread that shows no progress is replaced', async () => {
    open({ threads: 1, threadModule: breaking, stallMillis: 50 })
    expect(await outcomes(searcher.search(nowhere, named('hangs', 'a'), hold()))).toEqual({
      a: nothing('a'),
      hangs: { clip: 'hangs', error: expect.stringContaining('no progress for 0.05 s') },
    })
  })
})

describe('what is given up', () => {
  test('an aborted search throws the reason; the thread goes on with others', async () => {
    open({ threads: 1, threadModule: breaking })
    const stop = new AbortController()
    const underWay = Promise.withResolvers<void>()
    const given = outcomes(searcher.search(nowhere, named('waits'), hold(stop.signal, underWay.resolve)))
    const behind = outcomes(searcher.search(nowhere, named('waits'), hold(stop.signal)))
    const after = outcomes(searcher.search(nowhere, named('a'), hold()))
    await underWay.promise
    stop.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    await expect(behind).rejects.toThrow('enough')
    expect(await after).toEqual({ a: nothing('a') })
    await expect(outcomes(searcher.search(nowhere, named('b'), hold(stop.signal)))).rejects.toThrow('enough')
  })

  test('winding down: the group under way is told of to its end, the others are not begun', async () => {
    open({ threads: 1 })
    const sound = await record(folder, 'winding', babble(300, 3))
    const clips = Array.from({ length: 40 }, (_, i) => ({
      id: String(i),
      recording: { ...sound, samples: 8000 + i },
    }))
    const winding = new AbortController()
    const first = groupsOf(clips, 1)[0]!.map(({ id }) => id)
    const search = searcher.search(sound, clips, {
      ...hold(undefined, () => winding.abort()),
      winding: winding.signal,
    })
    expect(Object.keys(await outcomes(search)).toSorted()).toEqual(first.toSorted())
    expect(first).toHaveLength(16)
  })

  test('a real search stops in the middle of an episode of hours', async () => {
    open({ threads: 1 })
    const sound = await record(folder, 'hours', babble(600, 1))
    const clips = Array.from({ length: 16 }, (_, i) => ({
      id: String(i),
      recording: { ...sound, samples: 400_000 },
    }))
    const stop = new AbortController()
    const search = outcomes(
      searcher.search(
        sound,
        clips,
        hold(stop.signal, () => stop.abort(new Error('enough'))),
      ),
    )
    await expect(search).rejects.toThrow('enough')
    const next = searcher.search(sound, [{ id: 'next', recording: { ...sound, samples: 8000 } }], hold())
    expect(await outcomes(next)).toMatchObject({ next: { matches: [{ offset: 0, score: 1 }] } })
  })

  test('who stops listening gives up the rest', async () => {
    open({ threads: 1, threadModule: breaking })
    for await (const { clip } of searcher.search(nowhere, named('a', 'waits'), hold())) {
      expect(clip).toBe('a')
      break
    }
    expect(await outcomes(searcher.search(nowhere, named('b'), hold()))).toEqual({ b: nothing('b') })
  })

  test('closing ends what is under way, and there is no search after it', async () => {
    open({ threads: 1, threadModule: breaking })
    const underWay = Promise.withResolvers<void>()
    const given = outcomes(searcher.search(nowhere, named('waits'), hold(undefined, underWay.resolve)))
    const ended = expect(given).rejects.toThrow('the searcher was closed')
    await underWay.promise
    await searcher.close()
    await ended
    await expect(outcomes(searcher.search(nowhere, named('a'), hold()))).rejects.toThrow(
      'the searcher was closed',
    )
  })
})

test('threads: a whole number from 1', () => {
  expect(() => createSearcher({ threads: 0 })).toThrow('threads: wants a whole number from 1, got 0')
})
