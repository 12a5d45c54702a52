import { describe, expect, it } from 'vitest'
import { fileStream } from '#src/domain/indexing/file.ts'
import type { Broker, ProducerRecord } from '#src/ports/broker.ts'
import type { Listed } from '#src/workers/indexing/listing/listed.ts'
import { pollSource } from '#src/workers/indexing/poll-source.ts'
import { failure, missing, success } from '../../domain/indexing/commands.ts'
import { type IndexingWorld, indexingWorld, named } from '../../processors/indexing/world.ts'

const listed = (name: string, minutes = 60, location = `/srv/${name}`): Listed => ({
  kind: 'file',
  name,
  fileKind: undefined,
  place: {
    location,
    size: 1,
    modifiedAt: new Date(Date.parse('2026-01-31T12:00:00.000Z') - minutes * 60_000).toISOString(),
  },
})

/** Names of which something was said, in the order in which it was. */
const poll = async (world: IndexingWorld, ...list: readonly Listed[]) => {
  const sent: string[] = []
  const skipped: string[] = []
  const broker = {
    produce: (records: readonly ProducerRecord[]) => async () => {
      sent.push(...records.map(({ key }) => String(key).replace('main/', '')))
      return { _tag: 'Right', right: [] }
    },
  } as unknown as Broker
  const polled = await pollSource(
    'main',
    (async function* () {
      yield* list
    })(),
    {
      ...world,
      broker,
      source: 'fonds://poller',
      signal: new AbortController().signal,
      onSkipped: (what) => skipped.push(what),
    },
  )
  return { sent, skipped, polled }
}

describe('a poll', () => {
  it('says what is new, the most recent first', async () => {
    const { sent, polled } = await poll(
      indexingWorld(),
      listed('old.warc', 300),
      listed('new.warc', 20),
      listed('middle.warc', 90),
    )
    expect(sent).toEqual(['new.warc', 'middle.warc', 'old.warc'])
    expect(polled).toEqual({ listed: 3, news: 3, skipped: 0 })
  })

  it('says nothing of a file that a harvester writes, and lists what a crashed one left', async () => {
    const open = (name: string, minutes: number): Listed =>
      ({ ...listed(name, minutes), isOpen: true }) as Listed
    const { sent, polled } = await poll(
      indexingWorld(),
      open('now.warc.gz.open', 23 * 60),
      open('left.warc.gz.open', 25 * 60),
    )
    expect(sent).toEqual(['left.warc.gz.open'])
    expect(polled).toEqual({ listed: 1, news: 1, skipped: 0 })
  })

  it('W6, W4 of an unchanged list says nothing, nor of what it lacks', async () => {
    const world = indexingWorld()
    for (const name of ['a.warc', 'b.warc', 'crawl.log']) await world.sight(name)
    await world.fold()
    expect((await poll(world, listed('a.warc'), listed('crawl.log'))).sent).toEqual([])
    expect(await world.typesOf('b.warc')).toEqual(['FileDiscovered'])
  })

  it('says what changed, what lies elsewhere as well, and what is there again', async () => {
    const world = indexingWorld()
    const { policy } = world
    const claim = { type: 'Claim', holder: 'w', deadline: '2027-01-01T00:00:00.000Z', millis: 1, policy }
    for (const [name, outcome] of [
      ['changed.warc', success],
      ['copied.warc', success],
      ['gone.warc', missing],
      ['failed.warc', failure],
    ] as const) {
      await world.sight(name)
      await world.on(named(name), claim)
      await world.on(named(name), { type: 'Report', fence: 1, outcome: { ...outcome, size: 1 }, policy })
    }
    await world.fold()
    const { sent } = await poll(
      world,
      listed('changed.warc', 10),
      listed('copied.warc', 60, '/mnt/copied.warc'),
      listed('gone.warc'),
      listed('failed.warc'),
    )
    expect(sent.toSorted()).toEqual(['changed.warc', 'copied.warc', 'gone.warc'])
  })

  it('W5 what was away is told when it is there again', async () => {
    const world = indexingWorld()
    await world.sight('a.warc')
    const stream = await world.eventsOf(fileStream(named('a.warc')))
    expect(stream).toHaveLength(1)
    await world.fold()
    expect((await poll(world)).sent).toEqual([])
    expect((await poll(world, listed('a.warc', 30))).sent).toEqual(['a.warc'])
  })

  it('tells of what cannot be taken, and goes on', async () => {
    const { sent, skipped, polled } = await poll(
      indexingWorld(),
      { kind: 'skipped', what: '/srv/a b.warc', reason: 'blanks' },
      { kind: 'file', name: 'bare.warc', place: undefined, fileKind: undefined },
      listed('a.warc'),
    )
    expect(sent).toEqual(['a.warc'])
    expect(skipped).toEqual(['/srv/a b.warc', 'bare.warc'])
    expect(polled).toEqual({ listed: 1, news: 1, skipped: 2 })
  })

  it('that breaks off throws; what it sent before is true', async () => {
    const world = indexingWorld()
    const broken = (async function* () {
      yield listed('a.warc')
      throw new Error('connection reset')
    })()
    const polled = pollSource('main', broken, {
      ...world,
      broker: {} as Broker,
      source: 's',
      signal: new AbortController().signal,
      onSkipped: () => {},
    })
    await expect(polled).rejects.toThrow('connection reset')
  })
})
