import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it, vi } from 'vitest'
import { batchQuestion } from '#src/projections/ingest/questions/batch-question.ts'
import { lanesQuestion } from '#src/projections/ingest/questions/lanes-question.ts'
import { payloadReasons } from '#src/projections/ingest/questions/payload-reasons.ts'
import { waitingQuestion } from '#src/projections/ingest/questions/waiting-question.ts'
import { batchId, object } from '../../domain/ingest/samples.ts'
import { areaWith, asked } from './asking.ts'
import { folded } from './folding.ts'

const idOf = (number: number) => `6c1d7f4e-8a4d-4f0e-9d59-3a1f0c9d7e${20 + number}`

/** Five jobs, 12 to 16, of batch 7. */
const opened = () => {
  const all = folded()
  all.log.open({ objects: [0, 1, 2, 3, 4].map((each) => object(each)) })
  const lines = async (area = areaWith()) =>
    (await asked(batchQuestion, all.views, all.log.now(), { batch: '7' }, area)).lines
  const reasons = async (area = areaWith()) =>
    (await asked(batchQuestion, all.views, all.log.now(), { batch: '7' }, area)).answer.reasons
  const waiting = async (area = areaWith(), limit = 20) =>
    (await asked(waitingQuestion, all.views, all.log.now(), { limit }, area)).answer
  return { ...all, lines, reasons, waiting }
}

const volume = (total: number, used = 0) => areaWith({ workVolume: async () => ({ total, used }) })

describe('reasons of a batch', () => {
  it('waits for room: so many jobs, with what the first needs and what is left', async () => {
    const { log, reasons, waiting } = opened()
    log.walk(12, 'downloading')
    for (const job of [13, 14]) log.walk(job, 'provisioning')
    expect(await reasons(volume(5000, 2500))).toEqual([
      {
        kind: 'waits-for-room',
        job: 13,
        ofJobs: 2,
        bytes: 1000,
        promisedBytes: 1000,
        leftBytes: 500,
        mostBytes: 4000,
        says: 'it waits for room on the work volume: it needs 1000 B, 1000 B are promised to 1 job before it, and 500 B is left',
      },
    ])
    // Room comes back: nobody has to do anything.
    expect(await waiting(volume(5000, 2500))).toMatchObject({ batches: [], more: false })
    expect(await reasons(volume(1000))).toMatchObject([{ kind: 'waits-for-room', never: true, ofJobs: 2 }])
    expect(await waiting(volume(1000))).toMatchObject({ batches: [{ number: 7, needsPerson: true }] })
  })

  it('waits for its turn: how many go before it, and how many are worked on, of how many; no news while it moves', async () => {
    const all = opened()
    const { log, reasons } = all
    log.open({ id: idOf(1), number: 8, firstJob: 20, objects: [object(0)] })
    const ofLane = async () => {
      const { answer, lines } = await asked(lanesQuestion, all.views, log.now(), {})
      const lanes = answer.lanes as { batches: { number: number; reasons: unknown[] }[] }[]
      return { lines, reasons: lanes[2]!.batches.find(({ number }) => number === 8)!.reasons }
    }
    log.claim(12)
    expect(await reasons()).toEqual([])
    const { lines, reasons: those } = await ofLane()
    expect(those).toMatchObject([{ kind: 'behind', job: 20, ofJobs: 1, ahead: 4, running: 1, atOnce: 4 }])
    expect(lines).toContain(
      '  batch 8, job 20: 4 jobs go before it in pending, job 13 of batch 7 first; 1 job is worked on now (a process works on 4 at once)',
    )
    log.wait(11)
    expect(await reasons()).toMatchObject([{ kind: 'claim-ran-out', job: 12 }])
  })

  it('failed jobs by what they failed of, held ones, and those that were put off: each once, with how many', async () => {
    const { log, lines, reasons, waiting } = opened()
    for (const [job, message] of [
      [12, 'a.tif: 404'],
      [13, 'the disk is gone'],
      [14, 'the disk is gone'],
    ] as const) {
      log.walk(job, 'downloading')
      log.claim(job)
      log.fail(job, message)
    }
    log.job(15, { type: 'HoldJob', reason: 'is it ours?' }, 'olga')
    const until = '2027-01-31T12:30:00.000Z'
    log.job(16, { type: 'ReleaseClaim', fence: log.claim(16), reason: 'no room', until })
    expect(await reasons()).toMatchObject([
      { kind: 'failed', job: 13, ofJobs: 2, because: 'the disk is gone', step: 'downloading' },
      { kind: 'failed', job: 12, ofJobs: 1, because: 'a.tif: 404' },
      { kind: 'held', job: 15, ofJobs: 1, who: 'olga' },
      { kind: 'put-off', job: 16, ofJobs: 1, until, because: 'no room' },
    ])
    expect(await lines()).toContain(
      'job 13 and 1 more: failed in downloading: the disk is gone; `fonds do ingest.resume-job job=13` lets it go on in downloading',
    )
    const { batches } = await waiting()
    expect(batches).toMatchObject([{ number: 7, needsPerson: true, reasons: { length: 4 } }])
  })

  it('a batch without waiting jobs asks nothing of the machine: its views may be closed behind the answer', async () => {
    const all = opened()
    for (const job of [12, 13, 14, 15, 16]) {
      all.log.claim(job)
      all.log.fail(job)
    }
    expect(await all.reasons()).toHaveLength(1)
    const workVolume = vi.fn(async () => undefined)
    const { answer } = await asked(lanesQuestion, all.views, all.log.now(), {}, areaWith({ workVolume }))
    const [, , lane] = answer.lanes as readonly object[]
    expect(lane).toMatchObject({ batches: [{ reasons: [{ kind: 'failed', ofJobs: 5 }] }] })
    expect(workVolume).not.toHaveBeenCalled()
  })

  it('paused: said once, whatever states its jobs are in', async () => {
    const { log, reasons } = opened()
    log.walk(12, 'downloading')
    log.hold('all', 'SetHold', 'power', 'ida')
    expect(await reasons()).toMatchObject([
      { kind: 'paused', job: null, ofJobs: 0, who: 'ida', because: 'power' },
    ])
  })
})

describe('reasons of a batch without jobs', () => {
  it('its payload waits to be read: for its turn, a hold on its collection, a pause, a node', async () => {
    const all = folded()
    const { log } = all
    for (const number of [1, 2])
      log.submit({ id: idOf(number), number, submission: { site: 'host-b/0123456789abcdef' } })
    const reasons = async (area = areaWith({ sites: async () => ['host-b/0123456789abcdef'] })) =>
      (await asked(batchQuestion, all.views, log.now(), { batch: '2' }, area)).answer.reasons
    expect(await reasons()).toMatchObject([
      {
        kind: 'behind',
        job: null,
        ahead: 1,
        running: 0,
        atOnce: 4,
        says: 'its payload is to be read: 1 batch goes before it; no job is worked on now (a process works on 4 at once)',
      },
    ])
    expect(await reasons(areaWith())).toMatchObject([{ kind: 'waits-for-site' }, { kind: 'behind' }])
    log.hold({ collection: 'letters' }, 'SetHold', 'stocktaking')
    log.hold('all', 'SetHold', 'power', 'ida')
    expect(await reasons()).toMatchObject([{ kind: 'paused' }, { kind: 'collection-on-hold', who: 'olga' }])
    log.hold('all', 'ReleaseHold', 'power is back')
    log.hold({ collection: 'letters' }, 'ReleaseHold', 'done')
    log.claimBatch(idOf(2), 'open')
    expect(await reasons()).toEqual([])
  })

  it('its payload is the next to be read, and no process runs that would', async () => {
    const all = folded()
    all.log.submit({ id: idOf(1), number: 1 })
    const says = async (nodes?: readonly object[]) => {
      const shown = { type: 'NodesPresent', data: { nodes }, metadata: { schema: 1 } }
      const eventStore = { read: () => async () => right(nodes === undefined ? [] : [shown]) }
      const [row] = all.views.query('ingest-batches', {})
      const asking = { now: all.log.now(), of: { ingest: areaWith() }, eventStore }
      return (await payloadReasons(all.views, row as never, asking as never))[0]?.says
    }
    expect(await says()).toBe(
      'its payload is to be read: it is the next; no process runs that works on jobs: `fonds start` starts one',
    )
    const node = { host: 'h', home: '/h', settings: {}, needsStart: [], since: all.log.now(), millis: 70_000 }
    expect(await says([{ ...node, name: 'n', roles: ['workers'], at: all.log.now() }])).toBe(
      'its payload is to be read: it is the next; no job is worked on now (a process works on 4 at once)',
    )
  })

  it('it is held, or its payload could not be read: with what to do', async () => {
    const all = folded()
    const { log } = all
    for (const number of [1, 2]) log.submit({ id: idOf(number), number })
    log.batch(idOf(1), { type: 'HoldBatch', reason: 'wrong shelf' }, 'olga')
    const fence = log.claimBatch(idOf(2), 'open')
    log.batch(idOf(2), { type: 'FailPayload', fence, message: 'no #%eof' })
    const { answer } = await asked(waitingQuestion, all.views, log.now(), {})
    expect(answer.batches).toMatchObject([
      { number: 1, needsPerson: true, reasons: [{ kind: 'held', because: 'wrong shelf' }] },
      { number: 2, needsPerson: true, reasons: [{ kind: 'failed', because: 'no #%eof' }] },
    ])
  })
})

it('batches with failed jobs are found behind a batch with many of them; so many, and that there are more', async () => {
  const { log, waiting } = opened()
  const ids = [batchId, idOf(1), idOf(2)]
  log.open({ id: idOf(1), number: 8, firstJob: 20, objects: [object(0), object(1)] })
  log.open({ id: idOf(2), number: 9, firstJob: 30, objects: [object(0), object(1)] })
  for (const job of [12, 13, 14, 20, 30]) {
    log.claim(job)
    log.fail(job)
  }
  expect(await waiting()).toMatchObject({ batches: ids.map((batch) => ({ batch })), more: false })
  expect(await waiting(areaWith(), 2)).toMatchObject({ batches: [{ number: 7 }, { number: 8 }], more: true })
  const { nothing } = await asked(waitingQuestion, folded().views, log.now(), {})
  expect(nothing).toBe('no submission waits for a person, or for what is not there')
})
