import { describe, expect, it } from 'vitest'
import { holdDecider } from '#src/domain/ingest/hold/decide.ts'
import { type HoldScope, holdStream } from '#src/domain/ingest/ids.ts'
import { ingestWorld, testServer, until } from './ingest-world.ts'

type World = Awaited<ReturnType<typeof ingestWorld>>

const hold = async ({ system }: World, scope: HoldScope, type: 'SetHold' | 'ReleaseHold') => {
  const command = { type, reason: 'inventory day', actor: 'ada', at: system.clock.now() } as const
  await system.execute(holdDecider, { stream: holdStream(scope), command, causationId: crypto.randomUUID() })
}

describe('a hold', () => {
  it('on all ingest lets nothing begin until it is released', async () => {
    const world = await ingestWorld()
    await hold(world, 'all', 'SetHold')
    const id = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
    await until('it has its number', () => world.batch(id)?.number ?? undefined)
    expect(world.batch(id)).toMatchObject({ state: 'pending', holder: null })
    await hold(world, 'all', 'ReleaseHold')
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
  })

  it('on a collection holds its batches, and no others (I3)', async () => {
    const world = await ingestWorld()
    await hold(world, { collection: 'default' }, 'SetHold')
    const id = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
    const batch = await until('it is held', () => {
      const found = world.batch(id)
      return found?.state === 'held' ? found : undefined
    })
    expect(batch).toMatchObject({ jobs: 0 })
    expect(batch.message).toContain('inventory day')
  })
})

describe('room', () => {
  it('that is not there keeps a job waiting, and fails nothing; a smaller one passes (X10, I25)', async () => {
    const world = await ingestWorld({ ingestUnknownBytes: Number.MAX_SAFE_INTEGER })
    const server = await testServer((asked, response) => {
      if (asked.method === 'HEAD') response.writeHead(405).end()
      else response.writeHead(200).end('A')
    })
    const large = await world.submit({ payload: { url: `${server.address}/large`, type: 'file' } })
    await until('it waits', () => world.jobsOf(large).find(({ state }) => state === 'provisioning'))
    const small = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
    expect(await world.ended(small)).toMatchObject({ state: 'completed' })
    expect(world.jobsOf(large)).toMatchObject([
      { state: 'provisioning', holder: null, sizeKnown: 0, priority: 15 },
    ])
    expect(server.asked.map(({ method }) => method)).toEqual(['HEAD'])
  })
})

it('two jobs of one local id, at once, are one object: nothing is minted twice', async () => {
  const world = await ingestWorld()
  const ids = await Promise.all(
    ['a', 'b', 'c'].map(async (name) =>
      world.submit({
        payload: { url: await world.file(`${name}.txt`, name), type: 'file' },
        localIds: ['same', 'also'],
      }),
    ),
  )
  for (const id of ids) expect(await world.ended(id)).toMatchObject({ state: 'completed' })
  const jobs = ids.flatMap(world.jobsOf)
  expect(new Set(jobs.map(({ ark }) => ark)).size).toBe(1)
  expect(jobs.map(({ version }) => version).toSorted()).toEqual([1, 2, 3])
  expect(world.system.viewStore.query('ingest-objects', {})).toHaveLength(1)
})
