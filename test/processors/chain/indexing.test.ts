import { describe, expect, it } from 'vitest'
import { dossierStream } from '#src/domain/chain/events.ts'
import { archives } from '#src/domain/chain/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { handOver } from '#src/processors/chain/hand-over.ts'
import { noteIndexing } from '#src/processors/chain/indexed.ts'
import { brought, chainWorld } from './world.ts'

const ark = 'ark:/99999/fk4abc'
const nameIn = (version: number, name: string) => `ark~3A=99999=fk4abc~_v${version}=content=producer=${name}`

const indexing = () => {
  const world = chainWorld()
  world.try('indexing')
  return world
}

/** What was sent last, each message once. */
const taken = ({ sent }: ReturnType<typeof indexing>) => {
  const once = [...new Map(sent.map((message) => [message.id, message])).values()]
  sent.length = 0
  return once.map(({ type, data }) => [type, data.name, data.embargoUntil])
}

describe('a version with archive files', () => {
  it('names them in the dossier, sends them with their place and embargo, and is handed over', async () => {
    const world = indexing()
    await handOver(
      [await world.stored(ark, 1, { archives: ['b.warc.gz', 'a.wacz'], embargoUntil: '2031-12-31' })],
      world.deps,
    )
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'ArchivesListed', 'ContentHandedOver'])
    expect(world.sent.map(({ data }) => data)).toEqual(
      ['a.wacz', 'b.warc.gz'].map((name) => ({
        repository: 'storage',
        name: nameIn(1, name),
        location: `/srv/storage/${brought(ark, 1).folder}/v1/content/producer/${name}`,
        size: 7,
        embargoUntil: '2031-12-31',
      })),
    )
    expect((await world.eventsOf(dossierStream(ark))).at(-1)!.data).toMatchObject({
      ...{ rule: 'indexing', store: 'storage', parts: 2, shared: 0, embargoUntil: '2031-12-31' },
    })
  })

  it('of which ingest knows no embargo is under that of its files', async () => {
    const world = indexing()
    world.embargoes.set(`${ark} 1`, '2040-01-01')
    await handOver([await world.stored(ark, 1, { archives: ['a.warc'] })], world.deps)
    expect(taken(world)).toEqual([['file.sighted', nameIn(1, 'a.warc'), '2040-01-01']])
  })

  it('without any sends nothing, and is handed over', async () => {
    const world = indexing()
    await handOver([await world.stored(ark, 1)], world.deps)
    expect(world.sent).toEqual([])
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'ContentHandedOver'])
  })

  it('is handed over whatever another rule did before', async () => {
    const world = chainWorld()
    const event = await world.stored(ark, 1, { archives: ['a.warc'] })
    await handOver([event], world.deps)
    world.try('indexing')
    await handOver([event], world.deps)
    await handOver([event], world.deps)
    expect(
      (await world.eventsOf(dossierStream(ark))).map(({ type, data }) => [
        type,
        (data as { rule?: string }).rule,
      ]),
    ).toEqual([
      ['ObjectStored', undefined],
      ['ContentHandedOver', 'fixity'],
      ['ArchivesListed', undefined],
      ['ContentHandedOver', 'indexing'],
    ])
  })

  it('whose process is killed after any of its effects is handed over in the end, once', async () => {
    for (let effects = 0; effects < 6; effects++) {
      const world = indexing()
      const event = await world.stored(ark, 1, { archives: ['a.warc', 'b.warc'] })
      world.killAfter(effects)
      await handOver([event], world.deps).catch((error: Error) => expect(error.message).toBe('killed'))
      world.killAfter(Number.POSITIVE_INFINITY)
      await handOver([event], world.deps)
      expect(taken(world)).toHaveLength(2)
      expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'ArchivesListed', 'ContentHandedOver'])
    }
  })
})

describe('a later version', () => {
  it('that moves the embargo moves that of files it carries forward, and of no others', async () => {
    const world = indexing()
    const first = await world.stored(ark, 1, { archives: ['a.warc', 'b.warc'], embargoUntil: '2031-12-31' })
    await handOver([first], world.deps)
    taken(world)
    await handOver([await world.stored(ark, 2, { carried: ['a.warc'], embargoUntil: 'none' })], world.deps)
    expect(taken(world)).toEqual([['file.sighted', nameIn(1, 'a.warc'), 'none']])
  })

  it('that leaves the embargo as it is sends what it brought alone', async () => {
    const world = indexing()
    await handOver([await world.stored(ark, 1, { archives: ['a.warc'], embargoUntil: 'none' })], world.deps)
    taken(world)
    const second = { archives: ['b.warc'], carried: ['a.warc'], embargoUntil: 'none' }
    await handOver([await world.stored(ark, 2, second)], world.deps)
    expect(taken(world)).toEqual([['file.sighted', nameIn(2, 'b.warc'), 'none']])
  })

  it('holds back what an earlier one brings that comes late', async () => {
    const world = indexing()
    const first = await world.stored(ark, 1, { archives: ['a.warc'], embargoUntil: 'none' })
    const second = await world.stored(ark, 2, { carried: ['a.warc'], embargoUntil: '2031-12-31' })
    await handOver([second], world.deps)
    await handOver([first], world.deps)
    expect(taken(world)).toEqual([['file.sighted', nameIn(1, 'a.warc'), '2031-12-31']])
  })

  it('that comes first lifts nothing of what it does not carry forward', async () => {
    const world = indexing()
    const first = await world.stored(ark, 1, { archives: ['a.warc', 'b.warc'], embargoUntil: '2031-12-31' })
    await handOver([await world.stored(ark, 2, { carried: ['a.warc'], embargoUntil: 'none' })], world.deps)
    await handOver([first], world.deps)
    expect(taken(world)).toEqual([
      ['file.sighted', nameIn(1, 'a.warc'), 'none'],
      ['file.sighted', nameIn(1, 'b.warc'), '2031-12-31'],
    ])
  })
})

it('versions that are taken out take their files from the index; what they lifted holds again', async () => {
  const world = indexing()
  const first = await world.stored(ark, 1, { archives: ['a.warc'], embargoUntil: '2031-12-31' })
  const second = await world.stored(ark, 2, {
    archives: ['b.warc'],
    carried: ['a.warc'],
    embargoUntil: 'none',
  })
  await handOver([first, second], world.deps)
  taken(world)
  const aside = await world.setAside(ark, 1)
  await handOver([aside], world.deps)
  await handOver([aside], world.deps)
  expect(taken(world)).toEqual([
    ['file.withdrawn', nameIn(2, 'b.warc'), undefined],
    ['file.sighted', nameIn(1, 'a.warc'), '2031-12-31'],
  ])
  expect((await world.typesOf(ark)).slice(-2)).toEqual(['VersionsWithdrawn', 'ContentWithdrawn'])
})

it('versions that are taken out lift nothing of what the last one that is left does not have', async () => {
  const world = indexing()
  const first = await world.stored(ark, 1, { archives: ['a.warc'], embargoUntil: '2031-12-31' })
  const events = [first, await world.stored(ark, 2, { embargoUntil: 'none' }), await world.stored(ark, 3)]
  await handOver(events, world.deps)
  taken(world)
  await handOver([await world.setAside(ark, 2)], world.deps)
  expect(taken(world)).toEqual([])
})

it('the dossier notes the first time that a file is indexed, what it fails of, and its end', async () => {
  const world = indexing()
  await handOver([await world.stored(ark, 1, { archives: ['a.warc'] })], world.deps)
  const reaction = noteIndexing(world.viewStore, () => world.fold())
  const react = async (type: string, data: object, name = nameIn(1, 'a.warc')) => {
    const event = await world.append(`indexing-storage/${name}`, type, data)
    for await (const routes of reaction.react(event, new AbortController().signal))
      for (const { decider, stream, command } of routes)
        await world.deps.execute(decider as never, { stream, command, causationId: event.id } as never)
  }
  const indexed = { lines: 3 }
  await react('FileIndexed', indexed, 'of-somebody-else.warc')
  await react('IndexingFailed', { reason: 'no server' })
  await react('IndexingFailed', { reason: 'no server' })
  await react('FileParked', { reason: 'five times' })
  const row = () => rows(world.viewStore, archives, {})[0]
  expect(row()).toMatchObject({ state: 'parked', finding: 'five times', captures: null })
  await react('FileIndexed', indexed)
  await react('FileIndexed', { lines: 4 })
  expect(row()).toMatchObject({ state: 'indexed', finding: null, captures: 4 })
  const noted = (await world.eventsOf(dossierStream(ark))).slice(3)
  expect(noted.map(({ type, data }) => [type, data])).toEqual([
    ['ArchiveFailed', expect.objectContaining({ finding: 'no server', name: nameIn(1, 'a.warc') })],
    ['ArchiveIndexed', expect.objectContaining({ lines: 3 })],
  ])
})
