import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { GraphChangedMessage } from '#src/domain/matching/messages.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { type MergerWorld, withWorks } from './merger-world.ts'

const redirect = (component: string, to: string) => ({ kind: 'redirect', component, to })

/** The work and the version of each document that was written since `from` were. */
const writtenSince = async (world: MergerWorld, from: number) =>
  (await world.accepted()).slice(from).map(({ work, version }) => [work, version])

describe('of a component only the documents that change are written', () => {
  it('the title of the target: one document, and a mark for all', async () => {
    const world = withWorks('a', 'b', 'c', 'd')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b', 'c', 'd']))
    expect(await writtenSince(world, 0)).toHaveLength(4)
    world.work('a', { title: 'newer' })
    const [message] = await world.change(['a', 'b', 'c', 'd'])
    await deliver([message!])
    expect(await writtenSince(world, 4)).toEqual([['a', message!.version]])
    expect((await world.marks()).at(-1)).toMatchObject({
      work: 'a',
      version: message!.version,
      written: ['a'],
    })
  })

  it('nothing: the mark alone, in another process, too', async () => {
    const world = withWorks('a', 'b', 'c')
    await world.start().deliver(await world.change(['a', 'b', 'c']))
    const [message] = await world.change(['a', 'b', 'c'])
    await world.start().deliver([message!])
    expect(await writtenSince(world, 3)).toEqual([])
    expect((await world.marks()).at(-1)).toMatchObject({ version: message!.version, written: [] })
  })

  it('one joins: its own, and that which names it', async () => {
    const world = withWorks('a', 'b', 'c', 'd')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b', 'c'], ['d']))
    const [message] = await world.change(['a', 'b', 'c', 'd'])
    await deliver([message!])
    expect((await writtenSince(world, 4)).map(([work]) => work).sort()).toEqual(['a', 'd'])
    expect((await world.index()).get('d')?.document).toEqual(redirect('a', 'a'))
  })

  it('more than a mark can name: all of them, that of the first work, too', async () => {
    const world = withWorks('a', 'b')
    world.work('b', { source: 'earlier', title: 'the target' })
    const many = Array.from({ length: 60 }, (_, i) => `c${i}`.padEnd(250, 'c'))
    for (const id of many) world.work(id, { title: id })
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b']))
    const [message] = await world.change(['a', 'b', ...many])
    await deliver([message!])
    expect((await world.marks()).at(-1)).not.toHaveProperty('written')
    const index = await world.index()
    expect(index.get('a')).toEqual({ version: message!.version, document: redirect('a', 'b') })
    expect(new Set([...index.values()].map(({ version }) => version))).toEqual(new Set([message!.version]))
  })

  it('M18: a person asks for it once more: all of them', async () => {
    const world = withWorks('a', 'b', 'c')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b', 'c']))
    const causes = [{ work: 'b', revision: 0, type: 'ResendRequested' }]
    await deliver(await world.publish([world.groupOf(['a', 'b', 'c'])], { causes }))
    expect(await writtenSince(world, 3)).toHaveLength(3)
  })

  it('M18: also where a later change came before', async () => {
    const world = withWorks('a', 'b', 'c')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b', 'c']))
    const causes = [{ work: 'b', revision: 0, type: 'ResendRequested' }]
    const asked = await world.publish([world.groupOf(['a', 'b', 'c'])], { causes })
    await deliver(await world.change(['a', 'b', 'c']))
    await deliver(asked)
    expect(await writtenSince(world, 3)).toHaveLength(3)
  })

  it('of a large one in pieces: the mark counts for all pieces', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `w${10 + i}`)
    const world = withWorks(...ids)
    const tell = async () => {
      const at = world.nextVersion()
      const messages: GraphChangedMessage[] = []
      for (const piece of world.piecesOf(ids, 10)) messages.push(...(await world.publish([piece], { at })))
      return messages
    }
    const { deliver } = world.start()
    await deliver(await tell())
    world.work('w10', { title: 'newer' })
    for (const message of (await tell()).toReversed()) await deliver([message])
    expect((await writtenSince(world, 40)).map(([work]) => work)).toEqual(['w10'])
    expect(await world.marks()).toHaveLength(2)
  })
})

describe('M10, M12: what is held rises for all, so an older change that comes late is not taken', () => {
  it('v7 before v6: of a work whose document v7 left as it was, v6 is refused', async () => {
    const world = withWorks('a', 'b', 'c')
    const { deliver } = world.start()
    await deliver(await world.change(['a', 'b', 'c']))
    // v6 parts c from the others, v7 joins them again.
    const apart = await world.change(['a', 'b'], ['c'])
    const again = await world.change(['a', 'b', 'c'])
    await deliver(again)
    await deliver(apart)
    const index = await world.index()
    expect(index.get('b')?.document).toEqual(redirect('a', 'a'))
    expect(index.get('c')).toEqual({ version: again[0]!.version, document: redirect('a', 'a') })
    expect(await world.refusals()).toMatchObject([
      { stream: 'merged-a', details: { work: 'a', offered: apart[0]!.version, held: again[0]!.version } },
      { stream: 'merged-c', details: { work: 'c', offered: apart[0]!.version, held: again[0]!.version } },
    ])
  })

  it('M16: the whole component comes late: one refusal, by its first work', async () => {
    const world = withWorks('a', 'b', 'c')
    const { deliver } = world.start()
    const first = await world.change(['a', 'b', 'c'])
    world.work('b', { title: 'newer' })
    const second = await world.change(['a', 'b', 'c'])
    await deliver(second)
    await deliver(first)
    expect(await world.refusals()).toMatchObject([
      { code: 'older-graph', details: { work: 'a', offered: first[0]!.version, held: second[0]!.version } },
    ])
    expect(await writtenSince(world, 3)).toEqual([])
  })

  it('documents that a merge did not get to write are written by the next', async () => {
    const world = withWorks('a', 'b', 'c')
    await world.start().deliver(await world.change(['a', 'b', 'c']))
    world.work('0', { title: 'the target' })
    // Its first work changes, so all documents do; it ends when the mark is there and b is not.
    const lost = await world.change(['0', 'a', 'b', 'c'])
    await expect(world.start(failing(world.eventStore, ['merged-b'])).deliver(lost)).rejects.toThrow(
      UnavailableError,
    )
    const later = await world.change(['0', 'a', 'b', 'c'])
    await world.start().deliver(later)
    expect((await world.index()).get('b')).toEqual({
      version: later[0]!.version,
      document: redirect('0', '0'),
    })
  })

  it('a process that wakes up late does not write what a mark has passed over', async () => {
    const world = withWorks('a', 'b', 'c')
    await world.start().deliver(await world.change(['a', 'b', 'c']))
    world.work('0', { title: 'the target' })
    const joined = await world.change(['0', 'a', 'b', 'c'])
    const parted = await world.change(['0'], ['a', 'b', 'c'])
    const gate = Promise.withResolvers<void>()
    const asleep = world.start(sleeping(world.eventStore, 'merged-b', gate.promise)).deliver(joined)
    await expect.poll(() => world.marks()).toHaveLength(2)
    await world.start().deliver(parted)
    gate.resolve()
    await asleep
    expect((await world.index()).get('b')?.document).toEqual(redirect('a', 'a'))
  })

  it('nor where the component was told twice, and its document is now as it was before', async () => {
    const world = withWorks('a', 'b', 'c')
    world.work('b', { source: 'aaa' })
    await world.start().deliver(await world.change(['a', 'b', 'c']))
    world.work('b', { source: 'zzz' })
    const other = await world.change(['a', 'b', 'c'])
    const gate = Promise.withResolvers<void>()
    const asleep = world.start(sleeping(world.eventStore, 'merged-c', gate.promise)).deliver(other)
    await expect.poll(() => world.marks()).toHaveLength(2)
    world.work('b', { source: 'aaa' })
    await world.start().deliver(await world.change(['a', 'b', 'c']))
    gate.resolve()
    await asleep
    expect((await world.index()).get('c')?.document).toEqual(redirect('a', 'b'))
  })
})

/** A log whose appends to these streams fail. */
const failing = (store: EventStore, streams: readonly string[]): EventStore => ({
  ...store,
  append: (stream, ...rest) =>
    streams.includes(stream)
      ? async () => left({ kind: 'Unavailable', reason: 'the log is away' })
      : store.append(stream, ...rest),
})

/** A process that sleeps before it appends to a stream. */
const sleeping = (store: EventStore, stream: string, until: Promise<void>): EventStore => ({
  ...store,
  append:
    (...append) =>
    async () => {
      if (append[0] === stream) await until
      return store.append(...append)()
    },
})
