import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { is } from '#src/domain/kernel/read-views.ts'
import { whyReasons } from '#src/projections/ingest/questions/why.ts'
import { whyQuestion } from '#src/projections/ingest/questions/why-question.ts'
import { object } from '../../domain/ingest/samples.ts'
import { areaWith, asked } from './asking.ts'
import { folded } from './folding.ts'

/** Three jobs, 12 to 14, of batch 7. */
const opened = () => {
  const all = folded()
  all.log.open({ objects: [object(0), object(1), object(2)] })
  const why = async (job: number, area = areaWith()) =>
    (await asked(whyQuestion, all.views, all.log.now(), { job }, area)).rows
  return { ...all, why, kinds: async (job: number) => (await why(job)).map(({ kind }) => kind) }
}

describe('why', () => {
  it('it is next, or behind others, in the queue of its state', async () => {
    const { log, why } = opened()
    expect(await why(12)).toEqual([
      {
        kind: 'next',
        says: 'it is the next that a worker claims for pending; no job is worked on now (a process works on 4 at once)',
        ahead: 0,
        running: 0,
        atOnce: 4,
      },
    ])
    expect(await why(14)).toMatchObject([
      {
        kind: 'behind',
        ahead: 2,
        first: 12,
        says: '2 jobs go before it in pending, job 12 of batch 7 first; no job is worked on now (a process works on 4 at once)',
      },
    ])
    log.claim(12)
    expect(await why(14)).toMatchObject([
      {
        kind: 'behind',
        ahead: 1,
        first: 13,
        running: 1,
        says: expect.stringContaining('1 job is worked on now'),
      },
    ])
    log.wait(11)
    expect(await why(14)).toMatchObject([{ kind: 'behind', ahead: 2, first: 12 }])
  })

  it('it is claimed, by whom and until when', async () => {
    const { log, why, kinds } = opened()
    log.claim(12, 'worker-7')
    expect(await why(12)).toMatchObject([{ kind: 'claimed', who: 'worker-7', until: expect.any(String) }])
    log.wait(11)
    expect(await kinds(12)).toEqual(['claim-ran-out', 'next'])
  })

  it('it is put off, until when and why', async () => {
    const { log, why, kinds } = opened()
    const until = '2026-01-31T12:30:00.000Z'
    log.job(12, { type: 'ReleaseClaim', fence: log.claim(12), reason: 'job 9 holds its object', until })
    expect(await why(12)).toMatchObject([
      {
        kind: 'put-off',
        says: 'it is put off until 2026-01-31T12:30:00.000Z: job 9 holds its object',
        until,
      },
    ])
    log.wait(60)
    expect(await kinds(12)).toEqual(['put-off', 'next'])
    expect((await why(12))[0]).toMatchObject({
      says: 'it was put off until 2026-01-31T12:30:00.000Z, and goes on once this is over: job 9 holds its object',
    })
  })

  it('it waits for room: how much it needs, how much is promised, who goes before it', async () => {
    const { log, why } = opened()
    log.walk(12, 'downloading')
    log.walk(13, 'provisioning')
    log.walk(14, 'provisioning', undefined, {})
    expect(await why(14)).toMatchObject([
      {
        kind: 'waits-for-room',
        bytes: 1000,
        promisedBytes: 1000,
        says: 'it waits for room on the work volume: it needs 1000 B, 1000 B are promised to 1 job before it',
      },
      { kind: 'behind', ahead: 1, first: 13 },
    ])
    const volume = (total: number) => areaWith({ workVolume: async () => ({ total, used: 2048 }) })
    expect((await why(14, volume(5000)))[0]).toMatchObject({
      leftBytes: 952,
      mostBytes: 4000,
      says: expect.stringMatching(/1000 B are promised to 1 job before it, and 952 B is left$/),
    })
    expect((await why(14, volume(5000)))[0]).not.toHaveProperty('never')
    expect((await why(14, volume(1000)))[0]).toMatchObject({
      never: true,
      says: expect.stringMatching(
        /and of the 1000 B there no more than 800 B \(80 %\) may ever be used: it can never fit$/,
      ),
    })
  })

  it('X17: it is larger than the disk of the storage root, which is said once storage had no room for it', async () => {
    const { log, why } = opened()
    const area = (total: number) => areaWith({ storageVolume: async () => ({ total, used: 0 }) })
    log.walk(12, 'storing')
    expect(await why(12, area(999))).toMatchObject([{ kind: 'next' }])
    const until = '2026-01-31T12:30:00.000Z'
    log.job(12, { type: 'ReleaseClaim', fence: log.claim(12), reason: 'storage: disk full', until })
    expect(await why(12, area(999))).toMatchObject([
      {
        kind: 'storage-too-small',
        never: true,
        bytes: 1000,
        mostBytes: 999,
        says: 'it can never be stored: it needs 1000 B, and the disk of the storage root has 999 B in all',
      },
      { kind: 'put-off' },
    ])
    expect(await why(12, area(1000))).toMatchObject([{ kind: 'put-off' }])
  })

  it('X18: it waits for the word of another inventory, and since when', async () => {
    const { log, why } = opened()
    log.walk(12, 'recording')
    const since = log.now()
    log.wait(60)
    expect(await why(12)).toMatchObject([{ kind: 'next' }])
    expect(await why(12, areaWith({ recordsElsewhere: true }))).toEqual([
      {
        kind: 'waits-for-inventory',
        since,
        says: `it waits since ${since} for the word of another inventory on fonds.ingest.recorded: version 1 of ark:/99999/fk4abc is stored`,
      },
    ])
  })

  it('its size is unknown', async () => {
    const { log, why } = opened()
    log.claim(12)
    log.complete(12)
    log.complete(12, { spaceNeeded: 0, sizeKnown: false }, true)
    expect((await why(12))[0]).toMatchObject({ kind: 'waits-for-room', bytes: null, promisedBytes: 0 })
  })

  it('all ingest is paused, and its collection on hold: by whom and why', async () => {
    const { log, why } = opened()
    log.hold('all', 'SetHold', 'power', 'ida')
    log.hold({ collection: 'letters' }, 'SetHold', 'stocktaking')
    expect(await why(12)).toMatchObject([
      { kind: 'paused', who: 'ida', because: 'power' },
      { kind: 'collection-on-hold', who: 'olga', because: 'stocktaking' },
      { kind: 'next' },
    ])
    log.hold('all', 'ReleaseHold', 'power is back')
    log.claim(12)
    log.complete(12, {}, true)
    // A hold is for what is pending; the rest finishes.
    expect(await why(12)).toMatchObject([{ kind: 'next' }])
  })

  it('it is held, by whom and why, and holds up the report of its batch', async () => {
    const { log, why, kinds } = opened()
    log.job(14, { type: 'HoldJob', reason: 'is it ours?' }, 'olga')
    expect(await why(14)).toMatchObject([{ kind: 'held', who: 'olga', because: 'is it ours?' }])
    log.walk(12, 'completed')
    log.walk(13, 'downloading')
    log.claim(13)
    log.fail(13, 'a.tif: 404')
    log.hold({ collection: 'letters' }, 'SetHold', 'stocktaking')
    expect(await kinds(14)).toEqual(['held', 'collection-on-hold', 'blocks-report'])
    expect(await why(12)).toMatchObject([{ kind: 'completed' }, { kind: 'batch-blocked', jobs: [14] }])
    expect(await kinds(13)).toEqual(['failed', 'batch-blocked'])
  })

  it('it failed: with what, and where it would go on; or for good', async () => {
    const { log, why } = opened()
    log.walk(12, 'downloading')
    log.claim(12)
    log.fail(12, 'a.tif: 404')
    expect(await why(12)).toMatchObject([
      {
        kind: 'failed',
        step: 'downloading',
        because: 'a.tif: 404',
        says: 'it failed in downloading: a.tif: 404; `fonds do ingest.resume-job job=12` lets it go on in downloading',
      },
    ])
    log.claim(13)
    log.fail(13, 'no #%eof', true)
    expect(await why(13)).toMatchObject([{ kind: 'failed-for-good', step: 'pending', because: 'no #%eof' }])
  })

  it('X12: a file was other than announced: a mended manifest does not help the job, which keeps what was announced', async () => {
    const { log, why } = opened()
    log.walk(12, 'downloading')
    log.claim(12)
    log.fail(12, `file:///drop/0.tif has the sha256 digest ab; ${'cd'.repeat(32)} was announced`)
    log.walk(13, 'downloading')
    log.claim(13)
    log.fail(13, 'file:///drop/1.tif has 3 bytes; 4 were announced')
    for (const job of [12, 13])
      expect((await why(job))[0]).toMatchObject({
        kind: 'failed',
        says: expect.stringMatching(
          new RegExp(
            `announced; the job keeps what was announced: once the file itself is put right, .*resume-job job=${job}.*as a new submission$`,
          ),
        ),
      })
  })

  it('no process runs that works on jobs, as far as processes show themselves', async () => {
    const { log, views } = opened()
    const says = async (...roles: readonly string[]) => {
      const node = { host: 'h', home: '/h', settings: {}, needsStart: [], since: log.now(), millis: 70_000 }
      const nodes = [{ ...node, name: 'n', roles, at: log.now() }]
      const shown = { type: 'NodesPresent', data: { nodes }, metadata: { schema: 1 } }
      const eventStore = { read: () => async () => right(roles.length === 0 ? [] : [shown]) }
      const row = views.query('ingest-jobs', { where: [is('job', 12)] })[0]
      const asking = { now: log.now(), of: { ingest: areaWith() }, eventStore }
      return (await whyReasons(views, row as never, asking as never))[0]?.says
    }
    const none =
      'it is the next that a worker claims for pending; no process runs that works on jobs: `fonds start` starts one'
    expect(await says()).toBe(none)
    expect(await says('api', 'projections', 'worker fixity')).toBe(none)
    expect(await says('workers')).toContain('no job is worked on now')
    expect(await says('worker ingest')).toContain('no job is worked on now')
  })

  it('it was deleted, or was never there', async () => {
    const { log, why, views } = opened()
    log.job(12, { type: 'HoldJob', reason: 'wait' })
    log.job(12, { type: 'DeleteJob', reason: 'a mistake', confirmed: true }, 'olga')
    expect(await why(12)).toMatchObject([{ kind: 'deleted', says: 'olga deleted it: a mistake' }])
    const { rejection } = await asked(whyQuestion, views, log.now(), { job: 99 })
    expect(rejection).toMatchObject({ code: 'no-such-job' })
  })
})
