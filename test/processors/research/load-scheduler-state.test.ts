import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { defaultPolicy } from '../../../src/domain/research/policy/policy.ts'
import { episodeStream } from '../../../src/domain/research/terms.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import type { assignerLimits } from '../../../src/processors/research/assigner.ts'
import { loadSchedulerState } from '../../../src/processors/research/load-scheduler-state.ts'
import type { Until } from '../../../src/processors/runtime/in-memory-model.ts'
import { event } from '../../contracts/new-event.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from '../runtime/log.ts'
import { type AssignerWorld, assignerWorld } from './assigner-world.ts'

const folder = useFolder()
let world: AssignerWorld
let views: ViewStore

beforeEach(() => {
  views = openTestViews(folder.path('views.db'))
  world = assignerWorld(views)
  return () => views.close()
})

const { signal } = new AbortController()
const limits = { savedAtEnd: 5, savedAtRest: 1000 }
const sources = () => ({ eventStore: world.faulty, snapshots: world.snapshots })
const load = (until?: Until) => loadSchedulerState(sources(), signal, until)
const headOf = async (): Promise<bigint> => {
  const head = await world.store.head()()
  if (head._tag === 'Left') throw new Error(head.left.reason)
  return head.right
}
/** Until nothing is to be done any more. */
const run = async (some: Partial<typeof assignerLimits> = limits) => {
  const following = world.start(world.newAssigner(some))
  await world.settled()
  await following.stop()
}
/** Events that loading had to read from the log. */
const readBy = async (work: () => Promise<unknown>): Promise<number> => {
  const before = world.pages.events
  await work()
  return world.pages.events - before
}
const archive = async () => {
  for (let i = 0; i < 4; i++) await world.clip(`c${i}`)
  for (let i = 0; i < 4; i++) await world.episode(`e${i}`, i)
}

describe('the scheduler state of a question', () => {
  test('says what would be handed out next, and writes nothing', async () => {
    await archive()
    const before = await headOf()
    const { scheduler, folded } = await load()
    expect(scheduler.select()).toEqual({ episode: 'e3', clips: ['c0', 'c1', 'c2', 'c3'] })
    expect(folded).toBe(before)
    expect(await headOf()).toBe(before)
    expect(world.snapshots.bytes).toBeUndefined()
  })

  test('as of a position', async () => {
    await archive()
    const before = await headOf()
    await world.episode('e9', 9)
    expect((await load({ position: before })).scheduler.select()?.episode).toBe('e3')
    expect((await load()).scheduler.select()?.episode).toBe('e9')
  })

  test('as of a time: what the log took at that very time is in', async () => {
    await archive()
    const then = world.clock.now()
    await world.clock.advance(1)
    await world.episode('e9', 9)
    expect((await load({ time: then })).scheduler.select()?.episode).toBe('e3')
    expect((await load({ time: world.clock.now() })).scheduler.select()?.episode).toBe('e9')
  })

  test('a snapshot that knows more is not used for the past', async () => {
    await archive()
    const then = world.clock.now()
    const position = await headOf()
    await run()
    expect(world.snapshots.bytes).toBeDefined()
    await world.clock.advance(1)
    await world.episode('e9', 9)
    // The lease came at the same time, but behind that position.
    expect((await load({ position })).scheduler.size().leases).toBe(0)
    expect((await load({ time: then })).scheduler.size().leases).toBe(1)
    await world.clock.advance(defaultPolicy.leaseSeconds * 1000)
    await run({ savedAtEnd: 1 })
    expect(await readBy(() => load({ time: world.clock.now() }))).toBe(0)
    const past = await load({ time: then })
    expect(past.scheduler.size()).toMatchObject({ episodes: 4, leases: 1 })
  })

  test('what cannot be read, and one that is no longer wanted, are said', async () => {
    await archive()
    const given = AbortSignal.abort()
    await expect(loadSchedulerState(sources(), given)).rejects.toThrow(/no longer needed/)
    await world.store.append(episodeStream('e1'), 'any', [event('SungTo', {})])()
    await expect(load()).rejects.toThrow(/episode-e1 at position \d+: .*SungTo/)
    await expect(load()).rejects.toBeInstanceOf(UnavailableError)
  })
})

describe('snapshots of the assigner', () => {
  test('saved in the end: the next start folds in only what came since, and goes on the same', async () => {
    await archive()
    await run()
    expect(world.snapshots.bytes).toBeDefined()
    expect(await readBy(load)).toBe(0)
    await world.episode('e9', 9)
    expect(await readBy(load)).toBe(1)
    await world.take((await world.grants())[0]!)
    await world.researcher('r0')
    await run({ savedAtEnd: 1 })
    expect((await world.grants()).map(({ episode }) => episode)).toEqual(['e3', 'e9', 'e2'])
    expect(await readBy(load)).toBe(0)
    const kept = await load()
    world.snapshots.bytes = undefined
    const folded = await load()
    expect(kept.scheduler.upcoming(10)).toEqual(folded.scheduler.upcoming(10))
    expect(kept.scheduler.size()).toEqual(folded.scheduler.size())
  })

  test('is not worth it for few events; is saved at rest after many', async () => {
    await archive()
    await run({ savedAtEnd: 100 })
    expect(world.snapshots.bytes).toBeUndefined()
    const following = world.start(world.newAssigner({ savedAtRest: 8 }))
    await world.settled()
    expect(world.snapshots.bytes).toBeDefined()
    await following.stop()
  })

  test('is not saved while what was written is not folded in', async () => {
    await archive()
    const one = world.newAssigner({ savedAtEnd: 1 })
    const after = await one.ownCheckpoint!.load(signal)
    const read = await world.store.readAll(after, one.filter, 100)()
    if (read._tag === 'Left') throw new Error(read.left.reason)
    await one.handle(read.right, () => true, signal)
    expect(await world.grants()).toHaveLength(1)
    await one.ownCheckpoint!.end()
    expect(world.snapshots.bytes).toBeUndefined()
  })

  test('that cannot be saved is done without', async () => {
    await archive()
    world.snapshots.save = () => Promise.reject(new UnavailableError('disk full'))
    await run()
    expect(world.warnings).toMatchObject([{ msg: 'cannot save a snapshot; the next start takes longer' }])
    await run()
    expect(await world.grants()).toHaveLength(1)
  })

  const changed = (change: (header: Record<string, unknown>) => object) => (bytes: Buffer) => {
    const end = bytes.indexOf('\n')
    const header = JSON.stringify(change(JSON.parse(bytes.subarray(0, end).toString())))
    return Buffer.concat([Buffer.from(`${header}\n`), bytes.subarray(end + 1)])
  }
  const last = (header: Record<string, unknown>) => header.last as object
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['of another log', changed((header) => ({ ...header, log: 'another' }))],
    [
      'of a log that was put back and went on',
      changed((header) => ({ ...header, last: { ...last(header), id: 'another event' } })),
    ],
    [
      'of a log that was put back',
      changed((header) => ({ ...header, last: { ...last(header), revision: '99' } })),
    ],
    [
      'of a log that was put back, and to which its last message was delivered again',
      changed((header) => ({ ...header, last: { ...last(header), position: '99' } })),
    ],
    ['of another format', changed((header) => ({ ...header, format: 2 }))],
    ['that is empty', () => Buffer.alloc(0)],
    ['that was cut off', (bytes) => bytes.subarray(0, bytes.length - 3)],
    ['that is not ours', () => Buffer.from('hello\nworld')],
  ])('one %s is not believed', async (_, change) => {
    await archive()
    await run()
    expect(await readBy(load)).toBe(0)
    world.snapshots.bytes = change(Buffer.from(world.snapshots.bytes!))
    expect(await readBy(load)).toBe(9)
    await run()
    expect(await world.grants()).toHaveLength(1)
  })
})
