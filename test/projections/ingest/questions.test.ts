import { describe, expect, it } from 'vitest'
import { batchQuestion } from '#src/projections/ingest/questions/batch-question.ts'
import { capacityQuestion } from '#src/projections/ingest/questions/capacity-question.ts'
import { jobQuestion } from '#src/projections/ingest/questions/job-question.ts'
import { lateColumn } from '#src/projections/ingest/questions/list-columns.ts'
import {
  batchesQuestion,
  holdsQuestion,
  idsQuestion,
  jobsQuestion,
  objectsQuestion,
  profilesQuestion,
  queueQuestion,
  reportsQuestion,
  summaryQuestion,
} from '#src/projections/ingest/questions/lists.ts'
import { objectQuestion } from '#src/projections/ingest/questions/object-question.ts'
import { ingestQuestions } from '#src/workflows/ingest/questions.ts'
import { allQuestions } from '#src/workflows/questions.ts'
import { ark, batchId, object, profile } from '../../domain/ingest/samples.ts'
import { areaWith, asked } from './asking.ts'
import { folded } from './folding.ts'

const otherId = '6c1d7f4e-8a4d-4f0e-9d59-3a1f0c9d7e22'
const otherArk = 'ark:/99999/fk4xyz'

it('every question of an empty archive says that there is nothing', async () => {
  const { log, views } = folded()
  const given = { batch: '7', job: 12, id: 'x' }
  for (const question of await allQuestions(ingestQuestions)) {
    const { rejection, nothing } = await asked(question, views, log.now(), given)
    // The default profile is always there, and so is the work volume.
    if (question.name !== 'profiles' && question.name !== 'capacity')
      expect(rejection?.message ?? nothing, question.name).toMatch(/\w/)
  }
})

it('examples name the questions that they stand at', async () => {
  for (const { name, examples } of await allQuestions(ingestQuestions))
    for (const [typed] of examples) expect(typed.split(' ')[0]).toBe(name)
})

/** Batch 7: one completed, one failed while downloading, one held. Batch 8 of maps: one pending, one with room to be found. */
const archive = () => {
  const all = folded()
  const { log } = all
  log.open({ objects: [object(0), object(1), object(2)] })
  log.open({
    id: otherId,
    number: 8,
    firstJob: 15,
    objects: [object(3), object(4)],
    profile: { ...profile, name: 'maps', collection: 'maps', owner: 'museum' },
    submission: { submitter: 'cleo', description: { what: 'Maps' } },
  })
  log.walk(12, 'completed')
  log.bind('none', 'loc0', 12)
  log.walk(13, 'downloading')
  log.claim(13)
  log.fail(13, 'a.tif: 404')
  log.job(14, { type: 'HoldJob', reason: 'is it ours?' }, 'olga')
  log.walk(15, 'provisioning')
  const ask = (of: typeof batchQuestion, given = {}, area = areaWith()) =>
    asked(of, all.views, log.now(), given, area)
  return { ...all, ask }
}

it.each([
  ['batches', batchesQuestion, {}],
  ['batches of a state', batchesQuestion, { state: 'processing' }],
  ['jobs', jobsQuestion, {}],
  ['jobs of a batch', jobsQuestion, { batch: '7' }],
  ['jobs of a batch in a state', jobsQuestion, { batch: '7', state: 'held' }],
  ['jobs of a collection', jobsQuestion, { collection: 'maps' }],
  ['holds', holdsQuestion, {}],
  ['objects', objectsQuestion, {}],
])('%s are the same row by row, and are told how many they are', async (_, of, given) => {
  const { ask, log } = archive()
  log.hold({ collection: 'maps' }, 'SetHold', 'whose are they?')
  const whole = await ask(of, given)
  expect(whole.rows.length).toBeGreaterThan(0)
  expect(whole.answer).toMatchObject({ total: whole.rows.length })
  for (const [offset, row] of whole.rows.entries())
    expect((await ask(of, { ...given, offset, limit: 1 })).rows).toEqual([row])
  expect((await ask(of, { ...given, offset: whole.rows.length })).rows).toEqual([])
})

describe('batches', () => {
  it('the latest first, or those of a state, collection or submitter', async () => {
    const { ask } = archive()
    expect((await ask(batchesQuestion)).rows).toMatchObject([
      { number: 8, state: 'processing', jobs: 2, open: 2, title: 'Maps' },
      { number: 7, state: 'processing', jobs: 3, open: 1, held: 1, completed: 1, failed: 1 },
    ])
    const toneOf = (state: string, seconds: number) => lateColumn.tone?.(seconds, { state })
    expect(toneOf('failed', 90_000)).toBe('warning')
    expect([toneOf('failed', 80_000), toneOf('completed', 90_000)]).toEqual([undefined, undefined])
    expect((await ask(batchesQuestion, { collection: 'letters' })).rows).toMatchObject([{ number: 7 }])
    expect((await ask(batchesQuestion, { submitter: 'cleo' })).rows).toMatchObject([{ number: 8 }])
    expect((await ask(batchesQuestion, { state: 'failed' })).rows).toEqual([])
  })

  it('one: by number or public id, with its jobs by state and what blocks its report', async () => {
    const { ask } = archive()
    const { answer, lines } = await ask(batchQuestion, { batch: '7' })
    expect(answer).toMatchObject({
      batch: batchId,
      states: [
        { state: 'held', jobs: 1 },
        { state: 'completed', jobs: 1, bytes: 1000 },
        { state: 'failed', jobs: 1, bytes: 1000 },
      ],
      blockedBy: [14],
      report: null,
    })
    expect(lines).toContain('3 jobs: 1 completed, 1 failed, 1 open, 1 of them held')
    expect(lines).toContain(
      'its report waits for 1 held job alone: 14; `fonds do ingest.release-job job=14` lets one go on',
    )
    expect((await ask(batchQuestion, { batch: batchId })).answer).toEqual(answer)
    expect((await ask(batchQuestion, { batch: '9' })).rejection).toMatchObject({ code: 'no-such-batch' })
  })

  it('one that was reported says what became of the mail', async () => {
    const { log, ask } = archive()
    log.job(14, { type: 'DeleteJob', reason: 'not ours', confirmed: true })
    log.note(batchId, [0, 'completed'], [1, 'failed'], [2, 'deleted'])
    log.report(batchId)
    const { lines } = await ask(batchQuestion, { batch: '7' })
    expect(lines.join('\n')).toMatch(/report 1 was made on .*; its mail is to be sent/)
    expect(lines).toContain('3 jobs: 1 completed, 1 failed, 0 open, 1 deleted')
    expect((await ask(reportsQuestion)).rows).toMatchObject([
      { batchNumber: 7, report: 1, kind: 'first', completed: 1, failed: 1, deleted: 1, mail: 'due' },
    ])
    expect((await ask(reportsQuestion, { batch: '8' })).rows).toEqual([])
    expect((await ask(reportsQuestion, { batch: '9' })).rejection?.code).toBe('no-such-batch')
  })

  it('one whose payload cannot be read says why', async () => {
    const { log, ask } = archive()
    const id = log.submit({ id: '7d2e8f5e-8a4d-4f0e-9d59-3a1f0c9d7e23', number: 9 })
    log.batch(id, { type: 'FailPayload', fence: log.claimBatch(id, 'open'), message: 'line 3: no URL' })
    const { lines } = await ask(batchQuestion, { batch: '9' })
    expect(lines[0]).toBe(`batch 9 (${id}) is failed: line 3: no URL`)
    expect(lines).toContain('it has no job')
    expect(lines.at(-1)).toContain(`\`fonds do ingest.resume-batch batch=${id}\` has its payload read again`)
  })

  it('one that waits for a person says what the person may do', async () => {
    const { log, ask } = archive()
    const id = log.submit({ id: '7d2e8f5e-8a4d-4f0e-9d59-3a1f0c9d7e23', number: 9 })
    log.batch(id, { type: 'HoldBatch', reason: 'who sent this?' }, 'ida')
    const held = await ask(batchQuestion, { batch: '9' })
    expect(held.lines.at(-1)).toContain(`\`fonds do ingest.release-batch batch=${id}\` lets it go on`)
    log.job(14, { type: 'DeleteJob', reason: 'not ours', confirmed: true })
    log.note(batchId, [0, 'completed'], [1, 'failed'], [2, 'deleted'])
    log.report(batchId)
    const failed = await ask(batchQuestion, { batch: '7' })
    expect(failed.lines.at(-1)).toContain(`\`fonds do ingest.update-report batch=${batchId}\` reports anew`)
  })
})

describe('jobs', () => {
  it('of a state, of a collection, of a batch; held ones that block a report are marked', async () => {
    const { ask } = archive()
    const numbers = async (given: object) => (await ask(jobsQuestion, given)).rows.map(({ job }) => job)
    expect(await numbers({})).toEqual([12, 13, 14, 15, 16])
    expect(await numbers({ state: 'failed' })).toEqual([13])
    expect(await numbers({ collection: 'maps' })).toEqual([15, 16])
    expect(await numbers({ batch: '7' })).toEqual([12, 13, 14])
    expect(await numbers({ batch: batchId, state: 'completed' })).toEqual([12])
    const { rows } = await ask(jobsQuestion, { batch: '7' })
    expect(rows).toMatchObject([
      { bytes: 1000, blocksReport: false, ark },
      { message: 'a.tif: 404' },
      { bytes: null, blocksReport: true, message: 'is it ours?' },
    ])
    expect((await ask(jobsQuestion, { batch: '9' })).rejection?.code).toBe('no-such-batch')
  })

  it('one: what is known of it', async () => {
    const { ask } = archive()
    const { answer, lines } = await ask(jobQuestion, { job: 12 })
    expect(answer).toMatchObject({ job: 12, place: 0, ark, version: 1, files: 3, storedBytes: 300 })
    expect(lines[0]).toBe('job 12 is completed')
    expect(lines).toContain('stored as version 1: 3 files, 300 B')
    expect((await ask(jobQuestion, { job: 13 })).answer).toMatchObject({
      failedIn: 'downloading',
      permanent: false,
    })
    expect((await ask(jobQuestion, { job: 99 })).rejection).toMatchObject({ code: 'no-such-job' })
  })

  it('by collection and state', async () => {
    const { ask } = archive()
    expect((await ask(summaryQuestion)).rows).toEqual([
      { collection: 'letters', state: 'held', jobs: 1, bytes: 0, unknown: 1 },
      { collection: 'letters', state: 'completed', jobs: 1, bytes: 1000, unknown: 0 },
      { collection: 'letters', state: 'failed', jobs: 1, bytes: 1000, unknown: 0 },
      { collection: 'maps', state: 'pending', jobs: 1, bytes: 0, unknown: 1 },
      { collection: 'maps', state: 'provisioning', jobs: 1, bytes: 1000, unknown: 0 },
    ])
  })
})

describe('the queue', () => {
  it('is in the order in which jobs are claimed, state by state', async () => {
    const { log, ask } = archive()
    expect((await ask(queueQuestion)).rows).toMatchObject([
      { state: 'pending', place: 1, job: 16 },
      { state: 'provisioning', place: 1, job: 15 },
    ])
    log.job(14, { type: 'ReleaseJob', reason: 'ours' })
    expect((await ask(queueQuestion, { state: 'pending' })).rows.map(({ job }) => job)).toEqual([14, 16])
    log.claim(14)
    expect((await ask(queueQuestion, { state: 'pending' })).rows.map(({ job }) => job)).toEqual([16])
    log.wait(11)
    expect((await ask(queueQuestion, { state: 'pending' })).rows.map(({ job }) => job)).toEqual([14, 16])
    expect((await ask(queueQuestion, { limit: 1 })).rows).toHaveLength(1)
  })

  it('a lower priority number goes before an older job', async () => {
    const { log, ask } = archive()
    log.claim(16)
    log.complete(16)
    log.complete(16, { priority: 2, spaceNeeded: 10, sizeKnown: true }, true)
    expect((await ask(queueQuestion, { state: 'provisioning' })).rows).toMatchObject([
      { place: 1, job: 16, priority: 2 },
      { place: 2, job: 15, priority: 5 },
    ])
  })
})

it('capacity: what waits, is promised and is there; unknown sizes apart', async () => {
  const { log, ask } = archive()
  log.walk(16, 'downloading', otherArk, {})
  log.claimVolume('work')
  const { answer, lines, remarks } = await ask(capacityQuestion)
  expect(answer).toMatchObject({
    waiting: { jobs: 1, bytes: 1000, unknown: 0 },
    promised: { jobs: 1, bytes: 1000, unknown: 0 },
    working: { jobs: 0 },
    failed: { jobs: 1, bytes: 1000 },
    volumes: [{ volume: 'work', holder: 'worker-1' }],
  })
  expect(lines[0]).toMatch(/^how full the work volume is cannot be said: this process does not see/)
  expect(lines[1]).toMatch(/worker-1 gives out the room of work until/)
  expect(remarks).toEqual(['1 job waits for room: `fonds ingest queue provisioning` shows them in order'])
})

it('I25: capacity: how full the volume is, what is promised, unknown sizes too, and what is left', async () => {
  const { log, ask } = archive()
  log.walk(16, 'downloading', otherArk, {})
  log.claim(15)
  log.complete(15, { spaceNeeded: 0, sizeKnown: false }, true)
  const volume = (total: number, used: number) => areaWith({ workVolume: async () => ({ total, used }) })
  const { answer, lines } = await ask(capacityQuestion, {}, volume(10_240, 2048))
  expect(answer).toMatchObject({
    volume: { totalBytes: 10_240, usedBytes: 2048, mayUseBytes: 8192, promisedBytes: 1500, leftBytes: 4644 },
    thresholdPercent: 80,
    unknownBytes: 500,
  })
  expect(lines[0]).toBe(
    '2 KiB of 10 KiB of the work volume are used, 1.5 KiB are promised, 8 KiB (80 %) may be used: 4.5 KiB are left',
  )
  const full = await ask(capacityQuestion, {}, volume(10_240, 9216))
  expect(full.lines[0]).toMatch(/: that is 2\.5 KiB too much$/)
})

it('holds: by whom and why, and what is held', async () => {
  const { log, ask } = archive()
  log.hold({ collection: 'letters' }, 'SetHold', 'stocktaking')
  log.hold('all', 'SetHold', 'power')
  const id = log.submit({ id: '7d2e8f5e-8a4d-4f0e-9d59-3a1f0c9d7e23', number: 9 })
  log.batch(id, { type: 'HoldBatch', reason: 'who sent this?' }, 'ida')
  expect((await ask(holdsQuestion)).rows).toMatchObject([
    { kind: 'all', reason: 'power', actor: 'olga', batches: 1, jobs: 1 },
    { kind: 'collection', name: 'letters', reason: 'stocktaking', batches: 1, jobs: 1 },
    { kind: 'batch', name: '9', reason: 'who sent this?', actor: 'ida' },
    { kind: 'job', name: '14', reason: 'is it ours?', actor: 'olga' },
  ])
})

it('profiles: the default one is there before anybody sets it', async () => {
  const { log, ask } = archive()
  log.setProfile({ name: 'maps', owner: 'museum', description: 'Maps and plans' })
  expect((await ask(profilesQuestion)).rows).toMatchObject([
    { profile: 'default', collection: 'default', owner: 'none' },
    { profile: 'maps', collection: 'maps', owner: 'museum' },
  ])
  log.setProfile({ name: 'default', owner: 'us' })
  expect((await ask(profilesQuestion)).rows).toMatchObject([{ profile: 'default', owner: 'us' }, {}])
})

describe('objects', () => {
  it('by ARK in any spelling, or by local id; with versions and files', async () => {
    const { log, ask } = archive()
    log.walk(16, 'storing', otherArk)
    log.store(ark, 16, log.claim(16), 2, ['d.tif'])
    const { answer, lines } = await ask(objectQuestion, { id: 'ARK:99999/fk4-abc' })
    expect(answer).toMatchObject({
      object: ark,
      version: 2,
      versions: [
        { version: 1, job: 12 },
        { version: 2, job: 16 },
      ],
      listedVersion: 2,
      listedFiles: [{ path: 'd.tif', size: 100 }],
    })
    expect(lines[0]).toBe(ark)
    const first = await ask(objectQuestion, { id: 'loc0', version: 1 })
    expect(first.answer).toMatchObject({ object: ark, listedVersion: 1 })
    expect(first.answer.listedFiles).toHaveLength(3)
    expect((await ask(objectQuestion, { id: ark, version: 3 })).rejection?.message).toMatch(/the latest is 2/)
    expect((await ask(objectQuestion, { id: 'loc9' })).rejection?.code).toBe('no-such-object')
    expect((await ask(objectsQuestion, { collection: 'maps' })).rows).toMatchObject([{ object: ark }])
  })

  it('a local id of several owners is not guessed', async () => {
    const { log, ask } = archive()
    log.walk(16, 'processing')
    log.object(otherArk, { type: 'ReserveArk', job: 16, fence: log.claim(16) })
    log.bind('museum', 'loc0', 16, otherArk)
    expect((await ask(objectQuestion, { id: 'loc0' })).rejection).toMatchObject({
      code: 'several-objects',
      message: 'museum, none have a local id loc0; say whose',
    })
    const { lines } = await ask(objectQuestion, { id: 'loc0', owner: 'museum' })
    expect(lines).toContain('reserved for job 16; nothing is stored yet')
  })
})

it('ids: numbers and public ids, ARKs and local ids, both ways', async () => {
  const { ask } = archive()
  const ids = async (id: string) => (await ask(idsQuestion, { id })).rows
  expect(await ids('8')).toEqual([{ kind: 'batch', id: '8', also: otherId, owner: null }])
  expect(await ids(batchId.toUpperCase())).toEqual([{ kind: 'batch', id: '7', also: batchId, owner: null }])
  expect(await ids('12')).toEqual([{ kind: 'job', id: '12', also: ark, owner: null }])
  expect(await ids('loc0')).toEqual([{ kind: 'local-id', id: ark, also: 'loc0', owner: 'none' }])
  expect(await ids(ark)).toMatchObject([
    { kind: 'object', id: ark },
    { kind: 'local-id', id: ark, also: 'loc0' },
  ])
})
