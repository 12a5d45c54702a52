import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { decodeFields } from '#src/cli/do/read-fields.ts'
import type { TopicSpec } from '#src/domain/kernel/message.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import type { SchedulerState } from '#src/domain/research/selection/scheduler-state.ts'
import { loadSchedulerState } from '#src/processors/research/load-scheduler-state.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { started, testSystem } from '../../app/archive.ts'

/* X7: every command of an operator, on a whole system: what comes next then, and what people see of it. */

let system: System

const say = async (topic: TopicSpec, type: string, data: object): Promise<void> => {
  const { example } = topic.messages.find((spec) => spec.type === type)!
  await reportOnTopic(system, topic, 'test', [{ type, data: { ...(example as object), ...data } }])
}
const curate = async (subject: 'episode' | 'clip', id: string, day: number, curator = 'feed') =>
  say(subject === 'episode' ? episodesTopic : clipsTopic, `${subject}.curated`, {
    id,
    title: id,
    mediaUri: `https://media.example/${id}.mp3`,
    curator,
    curatedAt: `2026-01-0${day}T00:00:00.000Z`,
  })
const report = (type: string, data: object) => say(resultsTopic, type, { lease: undefined, ...data })

/** `done`, or what is said against it. */
const give = async (name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const command = system.workflows.flatMap(({ commands }) => commands).find((one) => one.name === name)!
  const input = decodeFields(command.codec, fields)
  if (isLeft(input)) throw new Error(input.left.message)
  const given = await dispatch(system, command, input.right, { actor: 'ada', reason: 'a test' })
  if (isLeft(given)) throw new Error(JSON.stringify(given.left))
  await waitUntilIdle(system)
  return given.right.kind === 'rejected' ? given.right.rejection.message : given.right.kind
}
const scheduler = async (): Promise<SchedulerState> => {
  const { signal } = new AbortController()
  const loaded = await loadSchedulerState(system, signal)
  loaded.scheduler.advance(system.clock.now())
  return loaded.scheduler
}
const next = async (): Promise<string> => {
  const choice = (await scheduler()).select()
  return choice ? [choice.episode, ...choice.clips].join(' ') : 'nothing'
}
const reasons = async (episode: string, clip: string) =>
  (await scheduler()).explainPair(episode, clip).map(({ kind }) => kind)
const row = (view: string, column: string, value: string): Row | undefined =>
  system.viewStore.query(view, { where: [{ column, is: '=', value }] })[0]
const leases = (state: string) =>
  system.viewStore.query('research-leases', { where: [{ column: 'state', is: '=', value: state }] })

beforeEach(async () => {
  system = await testSystem()
  await started(system, ['processors', 'reactions', 'projections'])
  expect(await give('research.pause')).toBe('done')
  for (const [i, id] of ['e1', 'e2', 'e3'].entries()) await curate('episode', id, i + 1)
  for (const [i, id] of ['c1', 'c2', 'c3'].entries()) await curate('clip', id, i + 1, 'site')
  await waitUntilIdle(system)
  expect(await next()).toBe('e3 c3 c2 c1')
})

describe('what goes first', () => {
  it('research.prioritise, of both, and back', async () => {
    expect(await give('research.prioritise', { episode: 'e1', priority: 7 })).toBe('done')
    expect(await give('research.prioritise', { clip: 'c2', priority: 1 })).toBe('done')
    expect(await next()).toBe('e1 c2 c3 c1')
    expect(row('research-episodes', 'episode', 'e1')).toMatchObject({ priority: 7, personPriority: 7 })
    expect(await give('research.prioritise', { episode: 'e1', priority: null })).toBe('done')
    expect(await next()).toBe('e3 c2 c3 c1')
    expect(row('research-episodes', 'episode', 'e1')).toMatchObject({ priority: 0, personPriority: null })
  })

  it('research.pin and research.unpin', async () => {
    await give('research.prioritise', { episode: 'e2', priority: 99 })
    expect(await give('research.pin', { episode: 'e1' })).toBe('done')
    expect(await next()).toBe('e1 c3 c2 c1')
    expect(row('research-episodes', 'episode', 'e1')?.pinned).toBe(1)
    expect(await give('research.unpin', { episode: 'e1' })).toBe('done')
    expect(await next()).toBe('e2 c3 c2 c1')
  })

  it.each([
    [{ episode: 'e3' }, 'e2 c3 c2 c1'],
    [{ clip: 'c3' }, 'e3 c2 c1'],
    [{ curator: 'feed' }, 'nothing'],
  ])('research.exclude and research.include of %j', async (what, then) => {
    expect(await give('research.exclude', what)).toBe('done')
    expect(await next()).toBe(then)
    expect(await give('research.exclude', what)).toBe('unchanged')
    expect(await give('research.include', what)).toBe('done')
    expect(await next()).toBe('e3 c3 c2 c1')
  })
})

describe('how it is handed out', () => {
  it('research.set-policy, from the next choice on', async () => {
    expect(await give('research.set-policy', { maxClips: 1 })).toBe('done')
    expect(await next()).toBe('e3 c3')
    expect(await give('research.set-policy', { agingSeconds: 3600 })).toBe('done')
    expect(await next()).toBe('e1 c3')
    expect(await give('research.set-policy', { itemSeconds: 7200 })).toContain('must be below leaseSeconds')
  })

  it('research.release-clips', async () => {
    await give('research.set-policy', { batchClips: 5, batchSeconds: 3600 })
    await curate('clip', 'c9', 9)
    await waitUntilIdle(system)
    expect(await reasons('e1', 'c9')).toEqual(['clip-waits'])
    expect(await give('research.release-clips')).toBe('done')
    expect(await reasons('e1', 'c9')).toEqual(['open'])
  })

  it('research.resume, research.revoke and research.pause', async () => {
    expect(leases('waiting')).toEqual([])
    expect(await give('research.resume')).toBe('done')
    const [first] = leases('waiting')
    expect(first).toMatchObject({ episode: 'e3' })
    expect(row('research-lease-clips', 'lease', first!.lease as string)?.clips).toEqual(['c3', 'c2', 'c1'])
    expect(await reasons('e3', 'c1')).toEqual(['leased'])
    await give('research.pause')
    expect(await give('research.revoke', { episode: 'e3', lease: first!.lease as string })).toBe('done')
    expect(row('research-leases', 'lease', first!.lease as string)?.state).toBe('ended')
    expect(leases('waiting')).toEqual([])
    expect(await next()).toBe('e3 c3 c2 c1')
  })

  it('research.block and research.unblock', async () => {
    await say(researchersTopic, 'researcher.registered', { researcher: 'r1' })
    await waitUntilIdle(system)
    expect((await scheduler()).readings().researchers).toBe(1)
    expect(await give('research.block', { researcher: 'r1' })).toBe('done')
    expect((await scheduler()).readings().researchers).toBe(0)
    expect(row('research-researchers', 'researcher', 'r1')?.blocked).toBeTruthy()
    expect(await give('research.unblock', { researcher: 'r1' })).toBe('done')
    expect((await scheduler()).readings().researchers).toBe(1)
  })
})

describe('what was found', () => {
  it('research.judge, of a place that was found, and of no other', async () => {
    const place = { episode: 'e3', clip: 'c3', offset: 5_000_000_000 }
    const matches = [{ offset: place.offset, score: 0.9 }]
    await report('clip.researched', { episode: 'e3', clip: 'c3', matches })
    await waitUntilIdle(system)
    expect(await give('research.judge', { ...place, verdict: 'rejected' })).toBe('done')
    expect(await give('research.judge', { ...place, verdict: 'rejected' })).toBe('unchanged')
    expect(system.viewStore.query('research-verdicts', {})).toMatchObject([
      { ...place, verdict: 'rejected', actor: 'ada', reason: 'a test' },
    ])
    expect(await give('research.judge', { ...place, offset: 6, verdict: 'unsure' })).toBe(
      'c3 was not found at 6 in e3, but at 5000000000',
    )
    expect(await give('research.judge', { ...place, clip: 'c2', verdict: 'unsure' })).toMatch(
      /c2 was found nowhere in e3/,
    )
  })
})

describe('once more', () => {
  it('research.retry of what is parked', async () => {
    await give('research.set-policy', { attempts: 1 })
    await report('research.failed', { episode: 'e3', subject: 'episode' })
    await report('research.failed', { episode: 'e2', subject: 'clip', clip: 'c3' })
    await report('research.failed', { episode: 'e2', subject: 'pair', clip: 'c2', stage: 'search' })
    await waitUntilIdle(system)
    expect(await next()).toBe('e2 c1')
    expect(row('research-clips', 'clip', 'c3')?.parkedAt).not.toBeNull()
    expect(await give('research.retry', { clip: 'c3' })).toBe('done')
    expect(await next()).toBe('e2 c3 c1')
    expect(await give('research.retry', { episode: 'e2' })).toBe('done')
    expect(await give('research.retry', { episode: 'e3' })).toBe('done')
    expect(await next()).toBe('e3 c3 c2 c1')
    expect(row('research-clips', 'clip', 'c3')?.parkedAt).toBeNull()
  })

  it.each([
    [{ episode: 'e3' }],
    [{ clip: 'c3' }],
    [{ engine: 'correlator', version: '1' }],
    [{ all: true }],
    [{ episode: 'e3', clip: 'c3' }],
  ])('research.reopen of %j', async (what) => {
    await report('clip.researched', { episode: 'e3', clip: 'c3' })
    await waitUntilIdle(system)
    expect(await next()).toBe('e3 c2 c1')
    expect(await give('research.reopen', what)).toBe('done')
    expect(await next()).toBe('e3 c3 c2 c1')
  })
})

describe('what nobody ever heard of is told in a sentence, and nothing is written', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, RegExp]>([
    ['research.revoke', { episode: 'e1', lease: 'l' }, /no lease l .*check the lease/],
    ['research.prioritise', { clip: 'c8', priority: 1 }, /no curator has seen this clip; check/],
    ['research.pin', { episode: 'e8' }, /no curator has seen this episode; check/],
    ['research.unpin', { episode: 'e8' }, /no curator has seen this episode; check/],
    ['research.exclude', { clip: 'c8' }, /no curator has seen this clip; check/],
    ['research.exclude', { curator: 'fed' }, /brought by a curator fed; check the spelling/],
    ['research.include', { curator: 'fed' }, /unchanged/],
    ['research.retry', { clip: 'c8' }, /no curator has seen this clip; check/],
    ['research.reopen', { episode: 'e8' }, /nothing is known of the episode e8; .*lists all/],
    ['research.reopen', { clip: 'c8' }, /nothing is known of the clip c8; .*lists all/],
    ['research.reopen', { engine: 'x', version: '1' }, /engine x 1; there are no results yet/],
    ['research.block', { researcher: 'r8' }, /no researcher of this name .*check the spelling/],
    ['research.unblock', { researcher: 'r8' }, /no researcher of this name .*check the spelling/],
  ])('%s %j', async (name, fields, sentence) => {
    const before = await system.eventStore.head()()
    expect(await give(name, fields)).toMatch(sentence)
    expect(await system.eventStore.head()()).toEqual(before)
  })
})
