import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import type { GraphChangedMessage } from '#src/domain/matching/messages.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { runs } from '../../runs.ts'
import { type MergerWorld, mergerWorld } from './merger-world.ts'

const redirect = (component: string, to: string) => ({ kind: 'redirect', component, to })
const merged = (component: string, from: readonly string[] = []) =>
  expect.objectContaining({ kind: 'merged', component, size: from.length + 1, from })

/** Works that are in the log and in the view. */
const withWorks = (...ids: readonly string[]): MergerWorld => {
  const world = mergerWorld()
  for (const id of ids) world.work(id)
  return world
}

const entries = (index: ReadonlyMap<string, unknown>) => Object.fromEntries(index)

describe('a component becomes the documents of its works', () => {
  it('M4: each at the version of the change, also of works that nobody edited', async () => {
    const world = withWorks('a', 'b', 'c')
    const [message] = await world.change(['a', 'b', 'c'])
    expect(await world.start().deliver([message!])).toBe(1n)
    const { version } = message!
    expect(entries(await world.index())).toEqual({
      a: { version, document: merged('a', ['b', 'c']) },
      b: { version, document: redirect('a', 'a') },
      c: { version, document: redirect('a', 'a') },
    })
  })

  it('M7: made from the latest content, though the change was made from an older one', async () => {
    const world = withWorks('a')
    const messages = await world.change(['a'])
    world.work('a', { title: 'newer' })
    await world.start().deliver(messages)
    expect((await world.index()).get('a')?.document).toMatchObject({ title: 'newer' })
  })

  it('M13: former partners get documents of their own, of one version', async () => {
    const world = withWorks('a', 'b')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b']))
    const apart = await world.change(['a'], ['b'])
    await deliver(apart)
    const { version } = apart[0]!
    expect(entries(await world.index())).toEqual({
      a: { version, document: merged('a') },
      b: { version, document: merged('b') },
    })
  })

  it('by the rules of its generation', async () => {
    const world = mergerWorld()
    world.work('a', { source: 'mets' })
    world.work('b', { source: 'sierra' })
    const rules = { ...defaultRules, precedence: ['sierra'] }
    await world.generation('GenerationStarted', { generation: 2, rules })
    const { deliver } = world.start()
    await deliver(await world.publish([world.groupOf(['a', 'b'])], { generation: 1 }))
    await deliver(await world.publish([world.groupOf(['a', 'b'])], { generation: 2 }))
    expect((await world.index(1)).get('b')?.document).toEqual(redirect('a', 'a'))
    expect((await world.index(2)).get('a')?.document).toEqual(redirect('a', 'b'))
  })

  it('a generation that is started while it runs is known at once; one that was dropped gets nothing more', async () => {
    const world = withWorks('a')
    const { deliver } = world.start()
    await deliver(await world.change(['a']))
    await world.generation('GenerationStarted', { generation: 2, rules: defaultRules })
    await deliver(await world.publish([world.groupOf(['a'])], { generation: 2 }))
    await world.generation('GenerationDropped', { generation: 2 })
    const { version } = (await world.index(2)).get('a')!
    await deliver(await world.publish([world.groupOf(['a'])], { generation: 2 }))
    expect((await world.index(2)).get('a')?.version).toBe(version)
    expect(await world.letters()).toEqual([])
  })
})

describe('late, repeated, out of order', () => {
  it('M16: the second change wins, also when the first one’s message arrives last', async () => {
    const world = withWorks('a', 'b')
    const first = await world.change(['a', 'b'])
    const second = await world.change(['a'], ['b'])
    const { deliver } = world.start()
    await deliver(second)
    await deliver(first)
    expect((await world.index()).get('b')).toEqual({ version: second[0]!.version, document: merged('b') })
  })

  it('M12: what is late is refused with the versions offered and held, once for each work, and not retried', async () => {
    const world = withWorks('a', 'b')
    const [late] = await world.change(['a', 'b'])
    const [newer] = await world.change(['a'])
    const { deliver, redeliver } = world.start()
    await deliver([newer!])
    const record = world.record(late!)
    expect(await redeliver([record])).toBe(record.offset + 1n)
    await redeliver([record])
    await world.start().redeliver([record])
    const [refusal, ...others] = await world.refusals()
    expect(others).toEqual([])
    expect(refusal).toMatchObject({
      processor: 'matching-merger',
      stream: 'merged-a',
      code: 'older-graph',
      details: { work: 'a', generation: 1, offered: late!.version, held: newer!.version },
    })
    // What it says of b nobody else has said yet.
    expect((await world.index()).get('b')?.version).toBe(late!.version)
    expect(world.telemetry.counted('messages', 'outcome')).toMatchObject({ rejected: 3 })
  })

  it('M11: the same message twice is no error and no change', async () => {
    const world = withWorks('a', 'b')
    const messages = await world.change(['a', 'b'])
    const { deliver } = world.start()
    await deliver(messages)
    await deliver(messages)
    await deliver([...messages, ...messages])
    expect(await world.accepted()).toHaveLength(2)
    expect(await world.refusals()).toEqual([])
  })

  it('what a later message of the batch writes anew is not made', async () => {
    const world = withWorks('a', 'b', 'c')
    const before = await world.change(['a', 'b', 'c'])
    const after = await world.change(['a', 'b'])
    await world.start().deliver([...before, ...after])
    expect((await world.accepted()).map(({ work, version }) => [work, version])).toEqual(
      expect.arrayContaining([
        ['a', after[0]!.version],
        ['b', after[0]!.version],
        ['c', before[0]!.version],
      ]),
    )
    expect(await world.accepted()).toHaveLength(3)
  })

  it('what a later message of another generation writes is made all the same', async () => {
    const world = withWorks('a')
    await world.generation('GenerationStarted', { generation: 2, rules: defaultRules })
    const one = await world.publish([world.groupOf(['a'])], { generation: 1 })
    const other = await world.publish([world.groupOf(['a'])], { generation: 2 })
    await world.start().deliver([...one, ...other])
    expect((await world.index(1)).size).toBe(1)
    expect((await world.index(2)).size).toBe(1)
  })

  it('M10: result messages in any order, in any batches, however often, through any restart: the same documents', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const partition = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 })
    const delivery = fc.record({
      pick: fc.nat(),
      batch: fc.integer({ min: 1, max: 3 }),
      restart: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(partition, { minLength: 2, maxLength: 4 }),
        fc.array(delivery, { maxLength: 12 }),
        fc.nat(),
        async (partitions, deliveries, turn) => {
          const world = withWorks(...ids)
          const messages: GraphChangedMessage[] = []
          for (const parts of partitions) {
            const groups = [...Map.groupBy(ids, (_, i) => parts[i]).values()]
            messages.push(...(await world.change(...groups)))
          }
          let process = world.start()
          for (const { pick, batch, restart } of deliveries) {
            await process.deliver(
              Array.from({ length: batch }, (_, i) => messages[(pick + 3 * i) % messages.length]!),
            )
            if (restart) process = world.start()
          }
          // Whatever came before, each has come at least once in the end.
          const from = turn % messages.length
          for (const message of [...messages.slice(from), ...messages.slice(0, from)])
            await process.deliver([message])

          const last = messages.filter(({ version }) => version === messages.at(-1)!.version)
          const fresh = new Map(
            last.flatMap(({ version, component, members }) =>
              members.map(([work]) => [
                work,
                {
                  version,
                  document:
                    work === component
                      ? merged(
                          component,
                          members.slice(1).map(([other]) => other),
                        )
                      : redirect(component, component),
                },
              ]),
            ),
          )
          expect(entries(await world.index())).toEqual(entries(fresh))
          expect(await world.letters()).toEqual([])
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

describe('contents that the view does not have yet', () => {
  const said = (title: string) => ({
    source: 'sierra',
    sourceVersion: 1,
    sourceModifiedAt: '2026-01-01T00:00:00.000Z',
    state: 'visible',
    links: [],
    title,
    at: '2026-01-01T00:00:00.000Z',
  })

  it('are read from the log, never older ones, and nobody waits for the view', async () => {
    const world = withWorks('a', 'b')
    await world.write('work-b', 'WorkObserved', said('older'))
    await world.logged('b', 'WorkCorrected', said('newer'))
    await world.start().deliver(await world.change(['a', 'b']))
    expect((await world.index()).get('a')?.document).toMatchObject({ title: 'newer' })
  })

  it('of a work that was handed over and sent again many times since: the last word of its source', async () => {
    const world = mergerWorld()
    await world.logged('a', 'WorkObserved', said('said'))
    const at = world.clock.now()
    await world.logged('a', 'WorkHandedOver', { from: 'sierra', to: 'folio', reason: 'test', at })
    for (let n = 0; n < 9; n++) await world.logged('a', 'ResendRequested', { reason: 'test', at })
    await world.start().deliver(await world.change(['a']))
    expect((await world.index()).get('a')?.document).toMatchObject({ title: 'said' })
  })

  it('also where there is no view at all', async () => {
    const world = mergerWorld()
    await world.logged('a', 'WorkObserved', said('said'))
    world.viewStore.drop(world.viewStore.live('matching')!)
    await world.start().deliver(await world.change(['a']))
    expect((await world.index()).size).toBe(1)
  })

  it('while the log is away the batch waits', async () => {
    const world = mergerWorld()
    await world.logged('a', 'WorkObserved', said('said'))
    const messages = await world.change(['a'])
    const { deliver } = world.start({
      ...world.eventStore,
      read: (stream, ...rest) =>
        stream === 'work-a'
          ? async () => left({ kind: 'Unavailable', reason: 'the log is away' })
          : world.eventStore.read(stream, ...rest),
    })
    await expect(deliver(messages)).rejects.toThrow(UnavailableError)
    expect(await world.letters()).toEqual([])
  })

  it('a work whose stream was taken out of the log by hand: a dead letter, and the others go on', async () => {
    const world = withWorks('b')
    await world.start().deliver(await world.change(['gone'], ['b']))
    expect(await world.letters()).toMatchObject([
      { reason: 'not-in-the-log', message: expect.stringMatching(/^work-gone is missing from the log/) },
    ])
    expect([...(await world.index()).keys()]).toEqual(['b'])
  })
})

describe('a document that is too large for a topic', () => {
  it('is one dead letter that names the work; its component stays as it was, others go on', async () => {
    const world = withWorks('a', 'b', 'c')
    const { deliver } = world.start()
    const [before] = await world.change(['a', 'b'])
    await deliver([before!])
    world.work('a', { fields: { text: 'x'.repeat(1_000_000) } })
    await deliver(await world.change(['a', 'b'], ['c']))
    expect(await world.letters()).toMatchObject([
      {
        reason: 'too-large',
        message: expect.stringMatching(/^the document of a would take 1000\d\d\d bytes/),
      },
    ])
    const { version } = before!
    expect(entries(await world.index())).toMatchObject({ a: { version }, b: { version }, c: {} })
    world.work('a', { fields: {} })
    await deliver(await world.change(['a', 'b']))
    expect((await world.index()).get('b')!.version).toBeGreaterThan(version)
  })
})

describe('some documents are accepted, others fail', () => {
  /** A log whose appends to these streams fail. */
  const without = (store: EventStore, ...works: readonly string[]): EventStore => ({
    ...store,
    append: (stream, ...rest) =>
      works.includes(stream.slice('merged-'.length))
        ? async () => left({ kind: 'Unavailable', reason: 'the log is away' })
        : store.append(stream, ...rest),
  })

  it('the message comes again; equal versions make that harmless', async () => {
    const world = withWorks('a', 'b', 'c', 'd')
    const [message] = await world.change(['a', 'b', 'c', 'd'])
    const record = world.record(message!)
    await expect(world.start(without(world.eventStore, 'c')).redeliver([record])).rejects.toThrow(
      UnavailableError,
    )
    expect(await world.accepted()).toHaveLength(3)
    // It dies of it: another process knows nothing but what is kept.
    expect(await world.start().redeliver([record])).toBe(1n)
    expect((await world.accepted()).map(({ work }) => work).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('one that the log never takes is one dead letter; the others stand', async () => {
    const world = mergerWorld({ maxAppendSize: 1000 })
    world.work('a', { title: 'x'.repeat(2000) })
    world.work('b')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b']))
    expect(await world.letters()).toMatchObject([
      { reason: 'too-large', message: expect.stringMatching(/^merged-a: /) },
    ])
    expect((await world.index()).get('b')?.document).toEqual(redirect('a', 'a'))
  })

  it('nothing can be read: the batch waits', async () => {
    const world = withWorks('a')
    const messages = await world.change(['a'])
    world.eventStore.goAway()
    await expect(world.start().deliver(messages)).rejects.toThrow(UnavailableError)
    world.eventStore.comeBack()
    await world.start().deliver(messages)
    expect(await world.letters()).toEqual([])
    expect((await world.index()).size).toBe(1)
  })
})

describe('messages that the log does not bear out', () => {
  it.each<[string, (published: GraphChangedMessage) => Partial<GraphChangedMessage>, string]>([
    ['a revision that is not there', () => ({ revision: 99 }), 'revision'],
    ['an event of another kind', () => ({ revision: 0 }), 'revision'],
    ['a group that is not there', () => ({ group: 5 }), 'group'],
    ['another version', ({ version }) => ({ version: version + 1 }), 'version'],
    ['another time', () => ({ timeSent: '2030-01-01T00:00:00.000Z' }), 'timeSent'],
    ['another component', () => ({ component: 'b' }), 'component'],
    ['another size', () => ({ size: 3 }), 'size'],
    ['fewer members', ({ members }) => ({ members: members.slice(1) }), 'members'],
    ['a member of another revision', ({ members }) => ({ members: [members[0]!, ['b', 7]] }), 'members'],
    ['a strange member', ({ members }) => ({ members: [members[0]!, ['x', 0]] }), 'members'],
    ['a generation that was never started', () => ({ generation: 7 }), 'generation'],
  ])('%s: a dead letter, and the others go on', async (_, forge, field) => {
    const world = withWorks('a', 'b', 'c')
    await world.write('graph-1', 'GraphListed', {
      version: 0,
      through: '0',
      components: 0,
      at: world.clock.now(),
    })
    const [published, other] = await world.change(['a', 'b'], ['c'])
    await world.start().deliver([other!, { ...published!, ...forge(published!) }])
    expect(await world.letters()).toMatchObject([
      {
        reason: 'not-in-the-log',
        path: `data.${field}`,
        message: expect.stringMatching(/Fonds alone writes/),
      },
    ])
    expect([...(await world.index()).keys()]).toEqual(['c'])
  })

  it('M3: the two groups of one change have one time, and no other is believed', async () => {
    const world = withWorks('a', 'b')
    const messages = await world.change(['a'], ['b'])
    expect(new Set(messages.map(({ timeSent }) => timeSent)).size).toBe(1)
    await world.clock.advance(1000)
    await world.start().deliver([messages[0]!, { ...messages[1]!, timeSent: world.clock.now() }])
    expect([...(await world.index()).keys()]).toEqual(['a'])
  })
})
