import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { archiveDecider } from '#src/domain/chain/archive/decide.ts'
import { type ArchiveEvent, archiveStream } from '#src/domain/chain/archive/events.ts'
import { adopt } from '#src/processors/chain/adoption.ts'
import { beginOf } from '#src/processors/chain/begin.ts'
import { handOverStored } from '#src/processors/chain/subscriptions.ts'
import { specify } from '../../given.ts'
import { chainWorld } from './world.ts'

const at = '2026-11-30T12:00:00.000Z'
const by = { actor: 'ada', at } as const

describe('the archive', () => {
  const given = specify(archiveDecider)
  const begun: ArchiveEvent = { type: 'RuleBegun', data: { rule: 'fixity', after: '7', at } }
  const requested: ArchiveEvent = { type: 'AdoptionRequested', data: { rule: 'fixity', reason: 'all', at } }
  const request = { type: 'RequestAdoption', rule: 'fixity', reason: 'all', ...by } as const

  it('begins a rule once', () => {
    const begin = { type: 'BeginRule', rule: 'fixity', after: 7n, ...by } as const
    given().when(begin).gives([begun])
    given(begun)
      .when({ ...begin, after: 9n })
      .gives([])
  })

  it('adopts for a rule that holds, one adoption at a time', () => {
    given().when(request).gives('not-begun')
    given(begun).when(request).gives([requested])
    given(begun, requested).when(request).gives('under-way')
    const ended: ArchiveEvent = { type: 'AdoptionEnded', data: { rule: 'fixity', versions: 3, at } }
    given(begun, requested)
      .when({ type: 'EndAdoption', versions: 3, ...by })
      .gives([ended])
    given(begun, requested, ended)
      .when({ type: 'EndAdoption', versions: 3, ...by })
      .gives([])
    given(begun, requested, ended).when(request).gives([requested])
  })

  it('notes how far it has come, and never less', () => {
    const reach = (position: bigint) => ({ type: 'NoteReached', position, versions: 2, ...by }) as const
    const reached: ArchiveEvent = {
      type: 'AdoptionReached',
      data: { rule: 'fixity', position: '9', versions: 2, at },
    }
    given(begun, requested).when(reach(9n)).gives([reached])
    given(begun, requested, reached).when(reach(9n)).gives([])
    given(begun).when(reach(9n)).gives([])
  })
})

describe('what was stored before a rule began', () => {
  const begin = async () => {
    const world = chainWorld()
    const old = [await world.stored('ark:/99999/a', 1), await world.stored('ark:/99999/b', 1)]
    const after = await beginOf('fixity', world.deps as never)()
    const recent = await world.stored('ark:/99999/c', 1)
    return { world, old, after, recent }
  }
  const live = () => true
  const signal = new AbortController().signal
  const dossiers = async (world: ReturnType<typeof chainWorld>) =>
    (
      await Promise.all(
        ['a', 'b', 'c'].map(async (name) =>
          (await world.typesOf(`ark:/99999/${name}`)).length > 0 ? name : '',
        ),
      )
    ).join('')

  it('is left alone, and what comes is not', async () => {
    const { world, old, after, recent } = await begin()
    const { handle } = handOverStored(world.deps, async () => after)
    await handle({ events: [...old, recent], position: recent.position, caughtUp: true }, live, signal)
    expect(await dossiers(world)).toBe('c')
    expect(await beginOf('fixity', world.deps as never)()).toBe(after)
  })

  const requestIn = async ({ deps, eventsOf }: ReturnType<typeof chainWorld>) => {
    const command = { type: 'RequestAdoption', rule: 'fixity', reason: 'all', ...by } as const
    await deps.execute(archiveDecider, { stream: archiveStream, command, causationId: crypto.randomUUID() })
    return (await eventsOf(archiveStream)).at(-1)!
  }
  const batchOf = (event: Awaited<ReturnType<typeof requestIn>>) => ({
    events: [event],
    position: event.position,
    caughtUp: true,
  })

  it('is adopted on request, up to the request, and what came since is the rule’s', async () => {
    const { world } = await begin()
    const request = await requestIn(world)
    await world.stored('ark:/99999/d', 1)
    const { handle } = adopt({ ...world.deps, workOf: () => world.deps.work } as never)
    expect(await handle(batchOf(request), live, signal)).toBe(true)
    expect(await dossiers(world)).toBe('abc')
    expect(await world.typesOf('ark:/99999/d')).toEqual([])
    const types = (await world.eventsOf(archiveStream)).map(({ type }) => type)
    expect(types.filter((type) => type !== 'AdoptionReached')).toEqual([
      'RuleBegun',
      'AdoptionRequested',
      'AdoptionEnded',
    ])
  })

  it('is adopted all the same where the process is killed after any effect', async () => {
    for (let effects = 0; effects < 9; effects++) {
      const { world } = await begin()
      const request = await requestIn(world)
      const { handle } = adopt({ ...world.deps, workOf: () => world.deps.work } as never)
      world.killAfter(effects)
      await handle(batchOf(request), live, signal).catch(() => {})
      world.killAfter(Number.POSITIVE_INFINITY)
      expect(await handle(batchOf(request), live, signal)).toBe(true)
      expect(await dossiers(world)).toBe('abc')
      const ended = (await world.eventsOf(archiveStream)).filter(({ type }) => type === 'AdoptionEnded')
      expect(ended).toHaveLength(1)
    }
  })

  it('is not adopted by a leader whose term is over', async () => {
    const { world } = await begin()
    const request = await requestIn(world)
    expect(
      await adopt({ ...world.deps, workOf: () => world.deps.work } as never).handle(
        batchOf(request),
        () => false,
        signal,
      ),
    ).toBe(false)
    expect(await dossiers(world)).toBe('')
  })

  it('may be adopted anew, for what could not be handed over', async () => {
    const { world } = await begin()
    const whole = world.storage.get('ark:/99999/a 1')!
    world.storage.set('ark:/99999/a 1', right(undefined))
    const { handle } = adopt({ ...world.deps, workOf: () => world.deps.work } as never)
    await handle(batchOf(await requestIn(world)), live, signal)
    expect((await world.typesOf('ark:/99999/a')).at(-1)).toBe('HandOverFailed')
    world.storage.set('ark:/99999/a 1', whole)
    // Requests are told apart by their times.
    world.deps.clock.now()
    const again = await requestAt(world, '2026-11-30T13:00:00.000Z')
    await handle(batchOf(again), live, signal)
    expect((await world.typesOf('ark:/99999/a')).at(-1)).toBe('ContentHandedOver')
  })

  const requestAt = async ({ deps, eventsOf }: ReturnType<typeof chainWorld>, time: string) => {
    const command = {
      type: 'RequestAdoption',
      rule: 'fixity',
      reason: 'all',
      actor: 'ada',
      at: time,
    } as const
    await deps.execute(archiveDecider, { stream: archiveStream, command, causationId: crypto.randomUUID() })
    return (await eventsOf(archiveStream)).at(-1)!
  }
})
