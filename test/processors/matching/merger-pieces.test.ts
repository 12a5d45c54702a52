import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { Group } from '#src/domain/matching/graph/events.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { type MergerWorld, mergerWorld } from './merger-world.ts'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `w${String(i).padStart(4, '0')}`)

/** A component of which each piece is an event of its own, all of one version. */
const tellPieces = async (world: MergerWorld, pieces: readonly Group[], at = world.nextVersion()) => {
  const messages = []
  for (const piece of pieces) messages.push(...(await world.publish([piece], { at })))
  return messages
}

const withPieces = (count = 50, size = 5) => {
  const world = mergerWorld()
  const works = ids(count)
  for (const work of works) world.work(work)
  return { world, works, pieces: world.piecesOf(works, size) }
}

/** Counts what is read of graphs, and the works that the view is asked for. */
const counting = ({ eventStore, viewStore }: MergerWorld) => {
  const counts = { reads: 0, questions: 0, works: 0 }
  const { query } = viewStore
  viewStore.query = (view, asked) => {
    counts.questions++
    const [wanted] = asked.where ?? []
    if (wanted?.is === 'in') counts.works += wanted.value.length
    return query(view, asked)
  }
  const store: EventStore = {
    ...eventStore,
    read: (stream, ...rest) => {
      if (stream.startsWith('graph-')) counts.reads++
      return eventStore.read(stream, ...rest)
    },
  }
  return { counts, store }
}

describe('a component in pieces', () => {
  it('each piece writes its own members, by the target of the whole', async () => {
    const { world, works, pieces } = withPieces()
    const messages = await tellPieces(world, pieces)
    const { deliver } = world.start()
    await deliver([messages[7]!])
    // Beside them the first work, whose stream has the mark.
    expect([...(await world.index()).keys()]).toEqual(['w0000', ...works.slice(35, 40)])
    await deliver(messages)
    const index = await world.index()
    expect(index.size).toBe(50)
    expect(index.get('w0000')?.document).toMatchObject({ kind: 'merged', size: 50, from: works.slice(1) })
    for (const work of works.slice(1))
      expect(index.get(work)?.document).toEqual({ kind: 'redirect', component: 'w0000', to: 'w0000' })
    expect(new Set([...index.values()].map(({ version }) => version))).toEqual(
      new Set([messages[0]!.version]),
    )
    expect(await world.accepted()).toHaveLength(50)
  })

  it('whose document is too large for a topic: no piece is written, wherever the target is', async () => {
    const { world, pieces } = withPieces(10, 2)
    world.work('w0000', { fields: { text: 'x'.repeat(1_000_000) } })
    const { deliver } = world.start()
    for (const message of await tellPieces(world, pieces)) await deliver([message])
    expect(await world.accepted()).toEqual([])
    expect(await world.letters()).toMatchObject(
      pieces.map(() => ({ reason: 'too-large', message: expect.stringContaining('of w0000 would') })),
    )
  })

  it('in any order, one by one, it is merged once', async () => {
    const { world, pieces } = withPieces(600, 2)
    const messages = await tellPieces(world, pieces)
    const { counts, store } = counting(world)
    const { deliver } = world.start(store)
    for (const message of messages.toReversed()) await deliver([message])
    expect((await world.index()).size).toBe(600)
    expect(counts).toMatchObject({ questions: 2, works: 600 })
    // Each piece once for the whole, and at most once more for its own message.
    expect(counts.reads).toBeLessThanOrEqual(600)
  })

  it('with other components before and behind it in the same change', async () => {
    const { world, pieces } = withPieces(12, 4)
    world.work('x')
    world.work('y')
    const at = world.nextVersion()
    const published = [
      ...(await world.publish([world.groupOf(['x']), pieces[0]!], { at })),
      ...(await world.publish([pieces[1]!], { at })),
      ...(await world.publish([pieces[2]!, world.groupOf(['y'])], { at })),
    ]
    await world.start().deliver(published)
    const index = await world.index()
    expect(index.size).toBe(14)
    expect(index.get('w0011')?.document).toEqual({ kind: 'redirect', component: 'w0000', to: 'w0000' })
  })

  it('never published to the end, because the matcher died over it: a later change publishes it', async () => {
    const { world, pieces } = withPieces(12, 4)
    const [first, second] = await tellPieces(world, pieces.slice(0, 2))
    const later = await tellPieces(world, pieces)
    const { deliver } = world.start()
    expect(await deliver([first!, second!])).toBe(2n)
    expect(await world.accepted()).toEqual([])
    await deliver(later)
    expect((await world.index()).size).toBe(12)
    expect(await world.letters()).toEqual([])
  })

  it('never published to the end, and published anew in one event: pieces of two changes are never put together', async () => {
    const { world, pieces } = withPieces(12, 4)
    const [early] = await tellPieces(world, pieces.slice(0, 1))
    const later = await world.publish(pieces)
    const { deliver } = world.start()
    await deliver([early!])
    expect(await world.accepted()).toEqual([])
    await deliver(later)
    expect((await world.index()).size).toBe(12)
  })

  it('of which the first pieces are missing: the same', async () => {
    const { world, pieces } = withPieces(12, 4)
    const published = await tellPieces(world, pieces.slice(1))
    await world.start().deliver(published)
    expect(await world.accepted()).toEqual([])
    expect(await world.letters()).toEqual([])
  })

  it('of which the rest is not written yet: the message comes again', async () => {
    const { world, pieces } = withPieces(12, 4)
    const at = world.nextVersion()
    const early = await tellPieces(world, pieces.slice(0, 2), at)
    const { deliver } = world.start()
    await expect(deliver(early)).rejects.toThrow(UnavailableError)
    const rest = await tellPieces(world, pieces.slice(2), at)
    await deliver([...early, ...rest])
    expect((await world.index()).size).toBe(12)
  })
})

describe('what is looked up', () => {
  it('changes that stand together are read together, and each work once', async () => {
    const world = mergerWorld()
    const works = ids(100)
    for (const work of works) world.work(work)
    const messages = []
    for (const work of works) messages.push(...(await world.change([work])))
    const { counts, store } = counting(world)
    await world.start(store).deliver(messages)
    expect((await world.index()).size).toBe(100)
    expect(counts).toEqual({ reads: 4, questions: 1, works: 100 })
  })

  it('far apart ones are not read with all that is between them', async () => {
    const world = mergerWorld()
    for (const work of ids(30)) world.work(work)
    const messages = []
    for (const work of ids(30)) messages.push(...(await world.change([work])))
    const { counts, store } = counting(world)
    let asked = 0
    const measured: EventStore = {
      ...store,
      read: (stream, from, direction, limit) => {
        if (stream.startsWith('graph-')) asked += limit
        return store.read(stream, from, direction, limit)
      },
    }
    await world.start(measured).deliver([messages[0]!, messages[2]!, messages[20]!])
    expect({ ...counts, asked }).toEqual({ reads: 2, questions: 1, works: 3, asked: 4 })
  })
})
