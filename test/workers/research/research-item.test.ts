import { describe, expect, it } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import type { Job } from '#src/workers/research/job.ts'
import { MediaFailure } from '#src/workers/research/recording.ts'
import type { Report } from '#src/workers/research/report.ts'
import { research } from '#src/workers/research/research-item.ts'
import { fakeClock, turns, until } from '../../fakes/clock.ts'
import { engine, fakeRecordings, fakeSearcher, jobOf, lineOf } from './fakes.ts'

const world = () => {
  const recordings = fakeRecordings()
  const searcher = fakeSearcher()
  const clock = fakeClock()
  const over = new AbortController()
  const winding = new AbortController()
  const sent: Report[] = []
  return {
    recordings,
    searcher,
    over,
    winding,
    sent,
    lines: () => sent.map(lineOf),
    start: (job: Job, send = async (report: Report) => void sent.push(report)) =>
      research(
        job,
        { recordings, searcher, clock, researcher: 'r', engine, send },
        { signal: over.signal, winding: winding.signal, progress: () => {} },
      ),
  }
}

describe('what is reported', () => {
  it('L30: the episode is fetched once, and each clip once', async () => {
    const { start, recordings } = world()
    await start(jobOf('a', 'b', 'c'))
    expect(recordings.opened).toEqual(['episode-1', 'a', 'b', 'c'])
  })

  it('L31, L35: each clip at once and alone, the last one flagged final', async () => {
    const { start, searcher, lines } = world()
    const gates = ['a', 'b', 'c'].map(searcher.holds)
    const done = start(jobOf('a', 'b', 'c'))
    for (const [i, expected] of ['found a', 'found b', 'found c final'].entries()) {
      await turns()
      expect(lines()).toHaveLength(i)
      gates[i]!()
      await until(() => lines().length === i + 1)
      expect(lines().at(-1)).toBe(expected)
    }
    await done
  })

  it('L32: with lease, durations, hashes, engine and score', async () => {
    const { start, sent } = world()
    await start(jobOf('a'))
    expect(sent).toEqual([
      {
        type: 'clip.researched',
        data: {
          lease: 'lease-1',
          episode: 'episode-1',
          clip: 'a',
          researcher: 'r',
          matches: [{ offset: 10_000_000_000, score: 0.9 }],
          bestScore: 0.9,
          episodeDuration: 3_600_000_000_000,
          clipDuration: 3_000_000_000,
          episodeHash: 'hash of episode-1',
          clipHash: 'hash of a',
          engine,
          researchedAt: '2026-01-01T00:00:00.000Z',
          final: true,
        },
      },
    ])
  })

  it('L43: that a clip is not in it is a result, with a word on why', async () => {
    const { start, searcher, sent, lines } = world()
    const note = 'the clip is longer than the episode'
    searcher.comesTo('a', () => ({ clip: 'a', matches: [], bestScore: 0.1, note }))
    await start(jobOf('a'))
    expect(lines()).toEqual(['absent a final'])
    expect(sent[0]?.data).toMatchObject({ matches: [], bestScore: 0.1, note })
  })

  it('X3: a result says what of the episode cannot be decoded, and its note what of the clip', async () => {
    const { start, recordings, sent } = world()
    const gaps = { count: 1, duration: 5e8, places: [{ offset: 12e8, duration: 5e8 }] }
    recordings.lacks('episode-1', gaps)
    recordings.lacks('a', gaps)
    await start(jobOf('a'))
    expect(sent[0]?.data).toMatchObject({
      gaps,
      note: '0.5 s of the clip cannot be decoded (at 1.2 s); export it again',
    })
  })

  it('X3: a recording is silent only if all of it was decoded: a gap may hide sound', async () => {
    const { start, recordings, searcher, sent } = world()
    const gaps = { count: 1, duration: 5e8, places: [{ offset: 12e8, duration: 5e8 }] }
    const silent = (clip: string, silent: 'episode' | 'clip') =>
      searcher.comesTo(clip, () => ({
        clip,
        matches: [],
        bestScore: 0,
        silent,
        note: `the ${silent} is silent`,
      }))
    silent('a', 'episode')
    silent('b', 'clip')
    silent('c', 'clip')
    recordings.lacks('c', gaps)
    await start(jobOf('a', 'b', 'c'))
    const dataOf = (clip: string) => sent.find(({ data }) => 'clip' in data && data.clip === clip)?.data
    expect(dataOf('a')).toMatchObject({ silent: 'episode', note: 'the episode is silent' })
    expect(dataOf('b')).toMatchObject({ silent: 'clip', note: 'the clip is silent' })
    expect(dataOf('c')).toMatchObject({
      note: 'what can be decoded of the clip has no sound; 0.5 s of the clip cannot be decoded (at 1.2 s); export it again',
    })
    expect(dataOf('c')).not.toHaveProperty('silent')

    const damaged = world()
    damaged.recordings.lacks('episode-1', gaps)
    damaged.searcher.comesTo('a', () => ({
      clip: 'a',
      matches: [],
      bestScore: 0,
      silent: 'episode',
      note: 'the episode is silent',
    }))
    await damaged.start(jobOf('a'))
    expect(damaged.sent[0]?.data).toMatchObject({
      gaps,
      note: 'what can be decoded of the episode has no sound',
    })
    expect(damaged.sent[0]?.data).not.toHaveProperty('silent')
  })

  it('clips that are ready together are searched together, and nobody waits for a slow download', async () => {
    const { start, recordings, searcher, lines } = world()
    const arrive = recordings.holds('b')
    const done = start(jobOf('a', 'b', 'c', 'd'))
    await until(() => lines().length === 3)
    expect(lines()).toEqual(['found a', 'found c', 'found d'])
    arrive()
    await done
    expect(lines().at(-1)).toBe('found b final')
    expect(searcher.batches.flat()).toEqual(['a', 'c', 'd', 'b'])
  })
})

describe('failures', () => {
  it('D12: one bad clip is one failed clip, the rest goes on', async () => {
    const { start, recordings, sent, lines } = world()
    recordings.fails('b', new MediaFailure('download', 'https://media.example/b answered 404'))
    await start(jobOf('a', 'b', 'c'))
    expect(lines().toSorted()).toEqual(['failed clip b download', 'found a', 'found c final'].toSorted())
    expect(sent.find(({ type }) => type === 'research.failed')?.data).toMatchObject({
      clip: 'b',
      error: 'https://media.example/b answered 404',
    })
  })

  it('what fails last carries the final flag', async () => {
    const { start, recordings, searcher, lines } = world()
    recordings.fails('a', new MediaFailure('decode', 'it is HTML'))
    await start(jobOf('a'))
    expect(lines()).toEqual(['failed clip a decode final'])
    const other = world()
    other.searcher.comesTo('b', () => ({ clip: 'b', error: 'silence' }))
    await other.start(jobOf('a', 'b'))
    expect(other.lines()).toEqual(['found a', 'failed pair b search final'])
    expect(searcher.batches).toEqual([])
  })

  it('a bad clip is told while the others are still searched', async () => {
    const { start, recordings, searcher, lines } = world()
    const [first, second] = ['a', 'b'].map(searcher.holds)
    const job = jobOf('bad', 'a', 'b')
    recordings.fails('bad', new MediaFailure('decode', 'truncated'))
    const done = start(job)
    first!()
    await until(() => lines().length === 2)
    expect(lines().toSorted()).toEqual(['failed clip bad decode', 'found a'])
    second!()
    await done
    expect(lines().at(-1)).toBe('found b final')
  })

  it('L35: a failed episode is one failure, and final', async () => {
    const { start, recordings, sent, lines } = world()
    recordings.fails('episode-1', new MediaFailure('download', 'answered 404'))
    await start(jobOf('a', 'b'))
    expect(lines()).toEqual(['failed episode download final'])
    expect(sent[0]?.data).not.toHaveProperty('clip')
    expect(recordings.opened).toEqual(['episode-1'])
  })

  it('a search that breaks down is made for each clip alone, so that the bad one shows', async () => {
    const { start, searcher, lines } = world()
    searcher.comesTo('b', () => {
      throw new Error('out of range')
    })
    await start(jobOf('a', 'b', 'c'))
    expect(lines()).toEqual(['found a', 'failed pair b search', 'found c final'])
  })

  it('a clip that the searcher forgets has failed', async () => {
    const { start, searcher, lines } = world()
    searcher.comesTo('a', () => undefined)
    await start(jobOf('a', 'b'))
    expect(lines()).toEqual(['found b', 'failed pair a search final'])
  })

  it('a result that no topic would take is a failure of the pair', async () => {
    const { start, searcher, sent, lines } = world()
    const matches = [{ offset: 4_000_000_000_000, score: 0.9 }]
    searcher.comesTo('a', () => ({ clip: 'a', matches, bestScore: 0.9 }))
    await start(jobOf('a'))
    expect(lines()).toEqual(['failed pair a search final'])
    expect(sent[0]?.data).toMatchObject({ error: expect.stringContaining('within the episode') })
  })

  const noSpace = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

  it.each([
    ['as it is', noSpace],
    ['as the reason of another', new MediaFailure('download', 'it cannot be kept', { cause: noSpace })],
  ])('a fault of this machine is nobody else’s: the item is given back (%s)', async (_, error) => {
    for (const id of ['episode-1', 'b']) {
      const { start, recordings, lines } = world()
      recordings.fails(id, error)
      await expect(start(jobOf('b'))).rejects.toThrow(error.message)
      expect(lines()).toEqual([`released (this researcher cannot work: ${error.message})`])
    }
  })

  it('no room for it here is said as such: this researcher works on', async () => {
    const { start, recordings, lines } = world()
    recordings.fails('episode-1', new NoRoom('there is no room for 2 GiB', 5))
    await expect(start(jobOf('b'))).rejects.toBeInstanceOf(NoRoom)
    expect(lines()).toEqual(['released (there is no room for 2 GiB)'])
  })

  it('errors without end or sense are cut and mended', async () => {
    const { start, searcher, sent } = world()
    searcher.comesTo('a', () => ({ clip: 'a', error: `\ud800${'x'.repeat(9000)}` }))
    searcher.comesTo('b', () => ({ clip: 'b', error: '' }))
    await start(jobOf('a', 'b'))
    const errors = sent.map((report) => lineOf(report) && (report.data as { error: string }).error)
    expect(errors[0]).toHaveLength(2000)
    expect(errors[1]).toBe('no reason was given')
  })
})

describe('an item of which nothing is left', () => {
  it.each([
    ['the episode was withdrawn', { ...jobOf('a'), media: undefined }],
    ['all clips were withdrawn', jobOf()],
  ])('%s: it is released, and nothing is fetched', async (_, job) => {
    const { start, recordings, lines } = world()
    await start(job)
    expect(lines()).toEqual([expect.stringMatching(/^released/)])
    expect(recordings.opened).toEqual([])
  })
})

describe('winding down', () => {
  it('F16: finishes the clip under way and flags it final', async () => {
    const { start, searcher, winding, lines } = world()
    const [first] = ['b', 'c'].map(searcher.holds)
    const done = start(jobOf('a', 'b', 'c'))
    await until(() => lines().length === 1)
    winding.abort()
    await turns()
    first!()
    await done
    expect(lines()).toEqual(['found a', 'found b final'])
    expect(searcher.ended()).toBe(searcher.batches.length)
  })

  it('L35: reports all that were looked for together, and flags the last of them final', async () => {
    const { start, recordings, searcher, winding, lines } = world()
    searcher.groups()
    const [first, second] = ['a', 'c'].map(searcher.holds)
    recordings.holds('d')
    const done = start(jobOf('a', 'b', 'c', 'd'))
    await until(() => searcher.batches.length === 1)
    winding.abort()
    first!()
    await turns()
    expect(lines()).toEqual(['found a'])
    second!()
    await done
    expect(lines()).toEqual(['found a', 'found b', 'found c final'])
  })

  it('F16: releases while the episode is fetched, which is fetched no further', async () => {
    const { start, recordings, winding, lines } = world()
    recordings.holds('episode-1')
    const done = start(jobOf('a'))
    await turns()
    winding.abort()
    await done
    expect(lines()).toEqual(['released (the researcher is stopping)'])
    expect(recordings.aborted).toEqual(['episode-1'])
  })

  it('F16: releases what is open while the next clip is fetched', async () => {
    const { start, recordings, winding, lines } = world()
    recordings.holds('b')
    const done = start(jobOf('a', 'b'))
    await until(() => lines().length === 1)
    winding.abort()
    await done
    expect(lines()).toEqual(['found a', 'released (the researcher is stopping)'])
    expect(recordings.aborted).toContain('b')
  })

  it('says nothing more once it is stopped hard, and lets go of everything', async () => {
    const { start, recordings, searcher, over, lines } = world()
    searcher.holds('b')
    recordings.holds('c')
    const done = start(jobOf('a', 'b', 'c'))
    await until(() => lines().length === 1)
    over.abort(new Error('the claim was lost'))
    await expect(done).rejects.toThrow('the claim was lost')
    await turns()
    expect(lines()).toEqual(['found a'])
    expect(recordings.aborted).toContain('c')
    expect(searcher.ended()).toBe(searcher.batches.length)
  })

  it('a result that cannot be sent stops it, with nothing left at work', async () => {
    const { start, searcher } = world()
    const refused = start(jobOf('a', 'b'), () => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    expect(searcher.ended()).toBe(searcher.batches.length)
  })
})
