import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { folderDays, ingestCommands } from '#src/processors/ingest/operator-commands.ts'
import { batchIdOf, claim, ingestWorld, listed, submission } from './world.ts'

const by = { actor: 'ada', reason: 'asked', at: '2026-03-01T12:00:00.000Z' }
const named = (name: string) => ingestCommands.find((command) => command.name === `ingest.${name}`)!

describe('a person’s commands', () => {
  it.each(ingestCommands.map((command) => [command.name, command] as const))(
    '%s has a valid example',
    (_, command) => {
      expect(isRight(command.codec.decode(command.example))).toBe(true)
      expect(command.route(command.example, by).command).toMatchObject({ actor: 'ada', at: by.at })
    },
  )

  it('say who and why in the log', async () => {
    const world = ingestWorld()
    const batch = batchIdOf(0)
    await world.send('batch.submitted', { batch, ...submission }, 'api')
    await world.settle()
    await world.run(named('hold-batch').route({ batch }, by))
    const [event] = (await world.eventsOf(`ingestBatch-${batch}`)).filter(({ type }) => type === 'BatchMoved')
    expect(event).toMatchObject({ data: { cause: 'I3', message: 'asked' }, metadata: { actor: 'ada' } })
  })

  it('I6: are refused where somebody will not be told, until they are confirmed', async () => {
    const world = ingestWorld()
    const batch = batchIdOf(0)
    await world.send('batch.submitted', { batch, ...submission }, 'api')
    await world.run(named('hold-batch').route({ batch }, by))
    expect(await world.run(named('delete-batch').route({ batch }, by))).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'unconfirmed', message: expect.stringContaining('bob@example.org') },
    })
    expect(await world.run(named('delete-batch').route({ batch, confirmed: true }, by))).toMatchObject({
      kind: 'done',
    })
  })

  it('resume takes a state in any spelling (C20)', () => {
    const decoded = named('resume-job').codec.decode({ job: 1, to: 'Downloading' })
    expect(decoded).toMatchObject({ right: { to: 'downloading' } })
  })

  it('N15: a job is forced to fail, or a batch: one of both', () => {
    const { codec } = named('force-fail')
    for (const input of [{ job: 1 }, { batch: '7' }, { batch: batchIdOf(0), confirmed: true }])
      expect(isRight(codec.decode(input))).toBe(true)
    for (const input of [{}, { confirmed: true }, { job: 1, batch: '7' }])
      expect(isRight(codec.decode(input))).toBe(false)
    const batch = batchIdOf(3)
    const views = { query: () => [{ batch }] } as never
    expect(named('force-fail').resolve?.({ batch: '7' })?.(views)).toMatchObject({ right: { batch } })
    expect(named('force-fail').resolve?.({ job: 1 })).toBeUndefined()
  })

  it('folders are cleaned by age unless a time is given', () => {
    expect(folderDays).toBe(30)
    expect(named('clean-folders').route({}, by).command).toMatchObject({ before: '2026-01-30T12:00:00.000Z' })
    expect(named('sweep').route({}, by).command).toMatchObject({ before: by.at })
  })

  it('I5: a batch is not released while its collection is on hold', () => {
    const rows: Record<string, readonly object[]> = {
      'ingest-batches': [{ collection: 'letters' }],
      'ingest-holds': [{ scope: 'collection:letters', reason: 'moving' }],
    }
    const views = { query: (view: string) => rows[view] ?? [] } as never
    const asked = named('release-batch').rejection?.({ batch: batchIdOf(0) })
    expect(asked?.(views)).toMatchObject({ code: 'on-hold', message: expect.stringContaining('moving') })
    rows['ingest-holds'] = []
    expect(asked?.(views)).toBeUndefined()
  })
})

describe('messages', () => {
  it('a profile may put its collection on hold', async () => {
    const world = ingestWorld()
    expect(
      await world.send('profile.set', { name: 'letters', collection: 'all-letters', hold: 'moving' }),
    ).toEqual(['done', 'done'])
    expect(await world.eventsOf('ingestHold-collection:all-letters')).toMatchObject([
      { data: { reason: 'moving' } },
    ])
  })

  it('X1: an unknown profile is refused; the default one is there on an empty home', async () => {
    const world = ingestWorld()
    const unknown = { batch: batchIdOf(0), ...submission, profile: 'letters' }
    expect(await world.send('batch.submitted', unknown, 'api')).toEqual(['unknown'])
    expect(await world.send('batch.submitted', { batch: batchIdOf(1), ...submission }, 'api')).toEqual([
      'done',
    ])
  })

  it('a batch keeps the profile that it came with', async () => {
    const world = ingestWorld()
    const batch = batchIdOf(0)
    await world.send('profile.set', { name: 'letters', priority: 3 })
    await world.send('batch.submitted', { batch, ...submission, profile: 'letters' }, 'api')
    await world.send('profile.set', { name: 'letters', priority: 9 })
    expect((await world.batch(batch)).profile.priority).toBe(3)
  })
})

describe('opening', () => {
  it('I4, I18: a thousand jobs take their numbers in one append, and what is done again makes none twice', async () => {
    const world = ingestWorld()
    const batch = batchIdOf(0)
    const count = 1000
    await world.send('batch.submitted', { batch, ...submission }, 'api')
    await world.settle()
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'open' }))
    const { fence } = (outcome as { result: { fence: number } }).result
    for (let from = 0; from < count; from += 200)
      await world.send('objects.listed', { batch, fence, from, objects: listed(200, from) })
    await world.send('batch.opened', { batch, fence, count, type: 'batch-manifest' })
    expect((await world.batch(batch)).state).toBe('pending')
    await world.settle()
    world.crash(10_000n)
    await world.settle()
    const events = await world.all()
    expect(
      events.filter(({ stream, type }) => stream === 'ingestIds-jobs' && type === 'IdsTaken'),
    ).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'JobCreated')).toHaveLength(count)
    expect(await world.batch(batch)).toMatchObject({ state: 'processing', firstJob: 1, number: 1 })
    expect((await world.job(1000)).facts.payload.url).toBe('file:///drop/999.tif')
  })

  it('a job costs twelve events', async () => {
    const world = ingestWorld()
    const batch = batchIdOf(0)
    await world.send('batch.submitted', { batch, ...submission }, 'api')
    await world.settle()
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'open' }))
    const { fence } = (outcome as { result: { fence: number } }).result
    await world.send('objects.listed', { batch, fence, from: 0, objects: listed(1) })
    await world.send('batch.opened', { batch, fence, count: 1, type: 'file' })
    await world.settle()
    await world.onJob(1, claim(world, { type: 'ClaimJob', state: 'pending' }))
    const ark = 'ark:/99999/fk4abc'
    const of = { job: 1, fence: 1 }
    const object = {
      ...{ batch, profile: 'default', collection: 'default', owner: 'none', localIds: [] },
      mode: 'add' as const,
    }
    const steps: readonly (readonly [string, object])[] = [
      ['pending', {}],
      ['estimating', { spaceNeeded: 1, sizeKnown: true }],
      ['provisioning', {}],
      ['downloading', {}],
      ['processing', { ark, localIds: [] }],
      ['storing', { ark, version: 1, inventoryDigest: 'd', files: 0, bytes: 0, listed: [], object }],
      ['recording', {}],
      ['notify', {}],
    ]
    for (const [state, result] of steps) {
      if (state === 'processing') await world.identifiers.reserveArk(of, ark)
      expect(await world.send('step.done', { ...of, state, result })).toEqual(
        state === 'storing' ? ['done', 'done'] : ['done'],
      )
    }
    expect((await world.job(1)).state).toBe('completed')
    const ofJob = (await world.all()).filter(({ stream }) => /^ingest(Job|Object)-/.test(stream))
    expect(ofJob.map(({ type }) => type)).toHaveLength(12)
    await world.settle()
    expect((await world.batch(batch)).state).toBe('reporting')
  })
})
