import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { System } from '#src/app/system.ts'
import { MachineFailure, NoRoom } from '#src/async/machine-failure.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import { itemQueue } from '#src/processors/research/items.ts'
import { startOneResearcher } from '#src/workers/research/one-researcher.ts'
import { MediaFailure } from '#src/workers/research/recording.ts'
import { startResearchers } from '#src/workers/research/start-researchers.ts'
import { createMachineWaits } from '#src/workers/runtime/machine-waits.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import type { WorkerOptions } from '#src/workers/runtime/worker.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { type ResearchWorld, researchWorld } from '../../workflows/research/world.ts'
import { fakeTools } from './fakes.ts'

let world: ResearchWorld
beforeEach(async () => {
  world = await researchWorld()
  for (const id of ['episode-1', 'episode-2'])
    await world.curate('episode', id, `https://media.example/${id}`)
  for (const id of ['a', 'b', 'c']) await world.curate('clip', id, `https://media.example/${id}`)
})

const start = (more: Partial<WorkerOptions> = {}, system: Partial<System> = {}) => {
  const tools = fakeTools()
  const context = { ...world.system, ...system }
  const worker = startResearchers(context, { ...world.options, ...more }, tools, (hooks) =>
    itemQueue({ ...context, ...hooks }),
  )
  return { worker: world.atWork(worker), ...tools }
}
const becomes = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5 })
const ended = (lease: string) => becomes(() => world.lease(lease)?.state === 'ended')
const typesOf = async (episode: string) => (await world.eventsOf(episode)).map(({ type }) => type)

describe('a researcher', () => {
  it('is there: registered with version, engine and what it can read; gone when it has stopped', async () => {
    await world.grant('l1', 'episode-1', 'a')
    const { worker, recordings, searcher } = start()
    await becomes(() => world.researchers()[0]?.registeredAt)
    expect(world.researchers()[0]).toMatchObject({
      researcher: `${worker.name}.1`,
      version: expect.stringMatching(/^fonds \d/),
      engine: { name: 'fake', version: '1', settings: 'none' },
      mediaTypes: ['audio/mpeg'],
      presentUntil: expect.any(String),
    })
    await worker.stop()
    await becomes(() => world.researchers()[0]?.goneAt)
    expect([recordings.closed(), searcher.closed()]).toEqual([true, true])
  })

  it('a hand is a researcher, and there are no more of them than threads (L1)', async () => {
    await world.grant('l1', 'episode-1', 'a')
    start({ concurrency: 20, threads: 2 })
    await becomes(() => world.researchers().length > 1)
    await ended('l1')
    expect(world.researchers()).toHaveLength(2)
  })

  it('takes an item, reports each clip, and ends the lease with the last (L30 to L36)', async () => {
    await world.grant('l1', 'episode-1', 'a', 'b')
    const { worker } = start()
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({
      ended: 'finished',
      doneCount: 2,
      researcher: `${worker.name}.1`,
    })
    const events = await world.eventsOf('episode-1')
    expect(events.map(({ type }) => type)).toEqual([
      'LeaseGranted',
      'WorkItemTaken',
      'ClipResearched',
      'ClipResearched',
    ])
    expect(events.slice(2).map(({ data }) => (data as { effect: { kind: string } }).effect.kind)).toEqual([
      'extended',
      'revoked',
    ])
  })

  it('takes up what is granted while it waits', async () => {
    start()
    await world.grant('l1', 'episode-1', 'a')
    await ended('l1')
    await world.grant('l2', 'episode-2', 'a')
    await ended('l2')
  })

  it('counts items and clips, by what came of them', async () => {
    await world.grant('l1', 'episode-1', 'a', 'b', 'c')
    const { searcher } = start()
    searcher.comesTo('b', () => ({ clip: 'b', matches: [], bestScore: 0 }))
    searcher.comesTo('c', () => ({ clip: 'c', error: 'broken' }))
    await ended('l1')
    const metrics = await world.system.metrics()
    for (const outcome of ['found', 'absent', 'failed'])
      expect(metrics).toContain(`fonds_clips_total{outcome="${outcome}"} 1`)
    expect(metrics).toContain('fonds_tasks_total{worker="researcher",queue="items"} 1')
  })

  it('two of them share the work, each item done once', async () => {
    for (const [lease, episode, clip] of [
      ['l1', 'episode-1', 'a'],
      ['l2', 'episode-1', 'b'],
      ['l3', 'episode-2', 'a'],
      ['l4', 'episode-2', 'b'],
    ] as const)
      await world.grant(lease, episode, clip)
    start()
    start({ concurrency: 2, threads: 2 })
    for (const lease of ['l1', 'l2', 'l3', 'l4']) await ended(lease)
    for (const episode of ['episode-1', 'episode-2'])
      expect((await typesOf(episode)).toSorted()).toEqual([
        ...Array(2).fill('ClipResearched'),
        ...Array(2).fill('LeaseGranted'),
        ...Array(2).fill('WorkItemTaken'),
      ])
  })
})

describe('when things go wrong', () => {
  it('a failed episode ends its lease, and gets an attempt (X8)', async () => {
    const { recordings } = start()
    recordings.fails('episode-1', new MediaFailure('download', 'answered 404'))
    await world.grant('l1', 'episode-1', 'a')
    await ended('l1')
    const [, , failed] = await world.eventsOf('episode-1')
    expect(failed).toMatchObject({ type: 'ResearchFailed', data: { subject: 'episode', attempt: 1 } })
  })

  it('a revoked lease is worked on no more, and nothing is said of it', async () => {
    const { worker, searcher } = start()
    searcher.holds('a')
    await world.grant('l1', 'episode-1', 'a')
    await becomes(() => searcher.batches.length === 1)
    await world.revoke('l1', 'episode-1')
    await becomes(() => worker.busy() === 0)
    expect(searcher.ended()).toBe(1)
    expect(await typesOf('episode-1')).toEqual(['LeaseGranted', 'WorkItemTaken', 'LeaseRevoked'])
  })

  it('one that is blocked takes nothing (X5)', async () => {
    const { worker, recordings } = start()
    await world.grant('l0', 'episode-2', 'b')
    await ended('l0')
    await becomes(() => world.researchers()[0]?.registeredAt)
    await world.block(`${worker.name}.1`)
    await becomes(() => world.researchers()[0]?.blocked)
    await world.grant('l1', 'episode-1', 'a')
    const other = start()
    await ended('l1')
    expect(other.recordings.opened).toEqual(['episode-1', 'a'])
    expect(recordings.opened).toEqual(['episode-2', 'b'])
  })

  it('one whose disk is full gives the item back and rests, so that another has it', async () => {
    const { worker, recordings } = start()
    recordings.fails('episode-1', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    await world.grant('l1', 'episode-1', 'a')
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({ ended: 'released', failedCount: 0 })
    await becomes(() => worker.busy() === 0)
    const other = start()
    await world.grant('l2', 'episode-1', 'a')
    await ended('l2')
    expect(world.lease('l2')).toMatchObject({ ended: 'finished', researcher: `${other.worker.name}.1` })
  })

  it('what could not be done and then was waits no more, however full the disk is', async () => {
    const tools = fakeTools()
    const clock = fakeClock()
    const disk = { isWritable: true, freeBytes: 0, freeFiles: 1000 }
    const look = async () => ({ opensFiles: true, folders: [{ ...disk }] })
    const waits = createMachineWaits({ clock, folders: ['/media'], probe: look })
    await waits.begin('episode-1', new NoRoom('there is no room', 100))
    await waits.begin('machine', new MachineFailure('the disk is full'))
    const pool = startOneResearcher('r', {
      ...tools,
      context: world.system,
      options: world.options,
      waits,
      queueOf: (hooks) => itemQueue({ ...world.system, ...hooks }),
      winding: new AbortController().signal,
      send: async (report, id) => {
        await reportOnTopic(world.system, resultsTopic, 'fonds://r', [{ ...report, id }])
      },
      busy: () => 0,
    })
    disk.freeBytes = 1024 ** 2
    await clock.advance(MINUTE)
    await world.grant('l1', 'episode-1', 'a')
    await ended('l1')
    await becomes(() => pool.busy() === 0)
    expect(waits.count()).toBe(0)
    await pool.stop()
  })

  it('a broker that is away loses nothing that was found', async () => {
    let refused = 0
    const sleeps: number[] = []
    const broker: System['broker'] = {
      ...world.system.broker,
      produce: (records) => {
        if (records[0]?.topic !== 'fonds.research.results' || ++refused > 2)
          return world.system.broker.produce(records)
        return async () => left({ kind: 'Unavailable', reason: 'no broker' })
      },
    }
    const clock: System['clock'] = {
      ...world.system.clock,
      sleep: (millis, signal) => {
        sleeps.push(millis)
        return world.system.clock.sleep(Math.min(millis, 5), signal)
      },
    }
    await world.grant('l1', 'episode-1', 'a', 'b')
    start({}, { broker, clock })
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({ ended: 'finished', doneCount: 2 })
    expect(sleeps.filter((millis) => millis === 5000).length).toBeGreaterThanOrEqual(2)
  })

  it('F5: a result that is sent again, its first outcome unknown, is known to be the same and decided once', async () => {
    const ids: (string | undefined)[] = []
    const broker: System['broker'] = {
      ...world.system.broker,
      produce: (records) => async () => {
        const placed = await world.system.broker.produce(records)()
        if (records[0]?.topic !== 'fonds.research.results') return placed
        ids.push(records[0].headers.ce_id)
        return ids.length === 1 ? left({ kind: 'Unavailable', reason: 'no answer came' }) : placed
      },
    }
    const clock: System['clock'] = {
      ...world.system.clock,
      sleep: (millis, signal) => world.system.clock.sleep(Math.min(millis, 5), signal),
    }
    await world.grant('l1', 'episode-1', 'a', 'b')
    start({}, { broker, clock })
    await ended('l1')
    expect(await typesOf('episode-1')).toEqual([
      'LeaseGranted',
      'WorkItemTaken',
      'ClipResearched',
      'ClipResearched',
    ])
    expect(ids[0]).toEqual(expect.any(String))
    expect(ids).toEqual([ids[0], ids[0], expect.any(String)])
    expect(ids[2]).not.toBe(ids[0])
  })
})

describe('stopping', () => {
  it('F16: finishes the clip under way; its result is final, and the others are free', async () => {
    const { worker, searcher } = start()
    const find = searcher.holds('b')
    await world.grant('l1', 'episode-1', 'a', 'b', 'c')
    await becomes(() => world.lease('l1')?.doneCount === 1)
    const stopped = worker.stop()
    find()
    await stopped
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({ ended: 'finished', doneCount: 2 })
    await becomes(() => world.researchers()[0]?.goneAt)
    expect(world.researchers()[0]).toMatchObject({ draining: 1 })
  })

  it('F16: gives the item back where no clip is under way', async () => {
    const { worker, recordings } = start()
    recordings.holds('episode-1')
    await world.grant('l1', 'episode-1', 'a')
    await becomes(() => recordings.opened.length === 1)
    await worker.stop()
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({ ended: 'released', reason: 'the researcher is stopping' })
  })

  it('F16: gives the item back when the clip under way takes longer than the grace', async () => {
    const { worker, searcher } = start()
    searcher.holds('b')
    await world.grant('l1', 'episode-1', 'a', 'b')
    await becomes(() => world.lease('l1')?.doneCount === 1)
    await worker.stop(0)
    await ended('l1')
    expect(world.lease('l1')).toMatchObject({ ended: 'released', doneCount: 1 })
  })
})
