import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ArchiveFile, fileStream } from '#src/domain/indexing/file.ts'
import { placeOf } from '#src/domain/kernel/event-place.ts'
import type { IndexChange } from '#src/ports/capture-index.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { changeFilesOf } from '#src/workers/indexing/aggregator/change-files.ts'
import { takeChanges } from '#src/workers/indexing/aggregator/take-changes.ts'
import { indexPlace } from '#src/workflows/indexing/index-place.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { emptyFolder, openTestIndex } from '../../infra/capture-index/lines.ts'
import { eventsOf } from '../../processors/runtime/log.ts'

interface LogOptions {
  readonly now?: string
  readonly gap?: bigint
}

/** An event of each file. Ids are the same in each log, as those of messages that come again are. */
const logOf = async (
  names: readonly string[],
  { now = '2026-01-01T00:00:00.000Z', gap = 1n }: LogOptions = {},
): Promise<EventStore> => {
  const eventStore = fakeEventStore({ now: () => now, gap })
  const file = (name: string): ArchiveFile => ({ repository: 'main', name })
  for (const name of ['first', ...names])
    await eventStore.append(fileStream(file(name)), 'any', [
      {
        id: `00000000-0000-5000-8000-${name.padStart(12, '0')}`,
        type: 'FileWithdrawn',
        data: {},
        metadata: {},
      },
    ] as never)()
  return eventStore
}

const setUp = () => {
  const folder = emptyFolder()
  const index = openTestIndex(join(folder, 'runs'))
  const config = { indexingFolder: folder }
  const files = changeFilesOf({ config } as never)
  const none = {} as never
  const handOver = async (eventStore: EventStore, hasEvents = true) => {
    const events = (await eventsOf(eventStore)).slice(1)
    await files.add(
      events.map((event): IndexChange => {
        const { stream, position } = event
        const change = { kind: 'withdraw', file: stream, position } as const
        return hasEvents ? { ...change, event: placeOf(event) } : change
      }),
    )
  }
  return {
    folder,
    index,
    handOver,
    placeIn: (eventStore: EventStore) =>
      indexPlace({ config, eventStore, captureIndex: () => index } as never),
    publish: async (eventStore: EventStore, hasEvents = true) => {
      await handOver(eventStore, hasEvents)
      await takeChanges(files, none, () => index, none)
    },
  }
}

const isOther = { mismatch: expect.stringContaining('was restored from a backup') }

it('indexing W18 an index that was never changed may be of any log', async () => {
  const { placeIn } = setUp()
  expect(await placeIn(await logOf([]))).toEqual({ reached: 0n })
  expect(await placeIn(await logOf(['1', '2']))).toEqual({ reached: 0n })
})

it('indexing W18 an index is of the log that holds the event that changed it last', async () => {
  const { placeIn, publish } = setUp()
  const log = await logOf(['1', '2'])
  await publish(log)
  expect(await placeIn(log)).toEqual({ reached: 2n })
  expect(await placeIn(await logOf(['1', '2', '3']))).toEqual({ reached: 2n })
})

it.each<[string, readonly string[], LogOptions]>([
  ['that ends before', ['1'], {}],
  ['that has grown past with other events', ['1', '3', '4', '5'], {}],
  [
    'in which the same messages led to the same events later',
    ['1', '2', '3'],
    { now: '2026-01-02T00:00:00.000Z' },
  ],
  ['in which the event has another place', ['1', '3', '2'], { now: '2026-01-02T00:00:00.000Z' }],
])('indexing W18 an index is not of a log %s', async (_, names, options) => {
  const { placeIn, publish } = setUp()
  await publish(await logOf(['1', '2']))
  expect(await placeIn(await logOf(names, options))).toMatchObject({ reached: 2n, ...isOther })
})

it('indexing W18 a log that was copied to where positions are greater is still the same; where they are smaller, it is handed nothing', async () => {
  const [servers, embedded] = [setUp(), setUp()]
  const near = await logOf(['1', '2'])
  const far = await logOf(['1', '2'], { gap: 1000n })
  await embedded.publish(near)
  expect(await embedded.placeIn(far)).toEqual({ reached: 2n })
  await servers.publish(far)
  expect(await servers.placeIn(near)).toMatchObject(isOther)
})

it('indexing W18 changes that wait, of a log that was put back, are told before they are taken over', async () => {
  const { placeIn, publish, handOver } = setUp()
  await publish(await logOf(['1']))
  const former = await logOf(['1', '2', '3'])
  await handOver(former)
  expect(await placeIn(former)).toEqual({ reached: 1n })
  expect(await placeIn(await logOf(['1', '4', '5', '6']))).toMatchObject({
    reached: 1n,
    mismatch: expect.stringContaining('Move incoming/'),
  })
})

it('indexing W18 of an index that a Fonds before this one changed last, the position alone is compared, until it is changed', async () => {
  const { placeIn, publish } = setUp()
  await publish(await logOf(['1', '2']))
  await publish(await logOf(['1', '2', '3']), false)
  expect(await placeIn(await logOf(['4', '5', '6']))).toEqual({ reached: 3n })
  expect(await placeIn(await logOf(['4', '5']))).toMatchObject(isOther)
  await publish(await logOf(['4', '5', '6', '7']))
  expect(await placeIn(await logOf(['4', '5', '6', '8']))).toMatchObject(isOther)
})

it('indexing W18 a manifest, and changes that wait, of a Fonds before this one are read', async () => {
  const { folder, placeIn, index } = setUp()
  mkdirSync(join(folder, 'runs'))
  writeFileSync(join(folder, 'runs', 'manifest'), storedManifest)
  mkdirSync(join(folder, 'incoming'))
  writeFileSync(
    join(folder, 'incoming', '00000000000000000002-00000000000000000002.changes'),
    '{"withdraw":"main/a.warc.gz","position":"2"}\n',
  )
  const log = await logOf(['1', '2'])
  expect(await placeIn(log)).toEqual({ reached: 1n })
  await takeChanges(
    changeFilesOf({ config: { indexingFolder: folder } } as never),
    {} as never,
    () => index,
    {} as never,
  )
  expect(await placeIn(log)).toEqual({ reached: 2n })
  expect(readFileSync(join(folder, 'runs', 'manifest'), 'utf8')).not.toContain('event')
})

const storedManifest =
  'fonds.capture-index 1 4ea41997ad25a7d47a702bd56a562fb0304c6f1bac9219b327deb9f207f4867c\n' +
  '{"position":"1","nextPublication":1,"live":[],"removed":[],"retired":[]}'
