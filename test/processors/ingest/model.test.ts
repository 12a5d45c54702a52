import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { batchEvents } from '#src/domain/ingest/batch/events.ts'
import { endOf } from '#src/domain/ingest/batch/jobs.ts'
import { categories } from '#src/domain/ingest/ids.ts'
import { jobEvents } from '#src/domain/ingest/job/events.ts'
import { isResume } from '#src/domain/ingest/job/state.ts'
import { placesIn } from '#src/domain/ingest/runs.ts'
import {
  batchMoves,
  isWorkState,
  jobMoves,
  type Move,
  type WorkState,
} from '#src/domain/ingest/transitions.ts'
import * as views from '#src/domain/ingest/views.ts'
import { categoryOf, idOf, type RecordedEvent } from '#src/domain/kernel/event.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { readOrStop } from '#src/processors/runtime/read-or-stop.ts'
import { ingest } from '#src/projections/ingest/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { batchIdOf, claim, ingestWorld, listed, submission } from './world.ts'

/* Lives of whole ingests: depositors, workers and people do what they like, in any order; messages come again, reactions
 * crash and begin again, clocks jump. Whatever happens, these hold. */

const deeds = [
  'submit',
  'open',
  'react',
  'react',
  'crash',
  'claim',
  'claim',
  'claim',
  'step',
  'step',
  'step',
  'step',
  'step',
  'fail',
  'late',
  'again',
  'time',
  'expire',
  'hold',
  'release',
  'resume',
  'delete',
  'force',
  'report',
  'mail',
  'batch',
] as const
const deed = fc.record({ what: fc.constantFrom(...deeds), n: fc.nat(1000), m: fc.nat(1000) })

const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Held {
  readonly job: number
  readonly fence: number
}

/** What is known outside of the log. */
const life = () => {
  const world = ingestWorld()
  const batches: string[] = []
  let held: Held[] = []
  let minted = 0
  /** What storage holds: it says the same version to the same job. */
  const stored = new Map<string, number[]>()

  const jobs = async () =>
    (await world.all()).filter(({ type }) => type === 'JobCreated').map(({ stream }) => Number(idOf(stream)))
  const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]

  const open = async (batch: string, m: number) => {
    const count = m % 4
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'open' }))
    if (outcome.kind !== 'done' || !outcome.result) return
    const { fence } = outcome.result as { fence: number }
    if (m % 7 === 0) return
    if (count > 0) await world.send('objects.listed', { batch, fence, from: 0, objects: listed(count) })
    if (m % 11 === 0) await world.send('batch.failed', { batch, fence, message: 'unreadable' })
    else await world.send('batch.opened', { batch, fence, count, type: 'batch-manifest' })
  }

  const resultOf = async (job: number, fence: number, state: WorkState, m: number) => {
    const { found } = await world.job(job)
    if (state === 'estimating') return { spaceNeeded: m, sizeKnown: m > 0, priority: m % 100 }
    if (state === 'processing') return { ark: found.ark ?? (await mint(job, fence, m)), localIds: [] }
    if (state !== 'storing') return {}
    const ark = found.ark!
    if ((await world.identifiers.claimObject({ job, fence }, ark))._tag === 'Left') return undefined
    const versions = stored.get(ark) ?? []
    if (!versions.includes(job)) stored.set(ark, [...versions, job])
    return {
      ark,
      version: stored.get(ark)!.indexOf(job) + 1,
      inventoryDigest: `d${job}`,
      files: 1,
      bytes: 1,
      listed: [{ path: 'a', size: 1, sha256 }],
      object: {
        batch: batches[0]!,
        profile: 'default',
        collection: 'default',
        owner: 'none',
        localIds: [],
        mode: 'add',
      },
    }
  }

  /** The minter proposes what another job may have. */
  const mint = async (job: number, fence: number, m: number): Promise<string> => {
    for (let n = m % 3; ; n++) {
      const ark = `ark:/99999/fk${n}`
      if ((await world.identifiers.reserveArk({ job, fence }, ark))._tag === 'Right') {
        minted++
        return ark
      }
    }
  }

  const step = async ({ job, fence }: Held, m: number, fails: boolean) => {
    const { state } = await world.job(job)
    if (!isWorkState(state)) return
    if (fails) {
      await world.send('step.failed', { job, fence, state, message: 'broke', permanent: m % 9 === 0 })
      return
    }
    const result = await resultOf(job, fence, state, m)
    if (result) await world.send('step.done', { job, fence, state, result, release: m % 5 === 0 })
  }

  const claimJob = async (job: number, minutes = 10) => {
    const { state } = await world.job(job)
    const outcome = await world.onJob(job, claim(world, { type: 'ClaimJob', state }, minutes))
    if (outcome.kind === 'done' && outcome.result)
      held = [...held, { job, fence: (outcome.result as { fence: number }).fence }]
  }

  const onJobs: Readonly<Record<string, string>> = {
    hold: 'HoldJob',
    release: 'ReleaseJob',
    resume: 'ResumeJob',
    delete: 'DeleteJob',
    force: 'ForceFail',
  }
  const onBatches = ['HoldBatch', 'ReleaseBatch', 'UpdateReport', 'DeleteBatch', 'SweepBatch']

  const report = async (batch: string) => {
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'report' }))
    if (outcome.kind === 'done' && outcome.result)
      await world.send('batch.reported', { batch, fence: (outcome.result as { fence: number }).fence })
  }

  const mail = async (batch: string, m: number) => {
    const [due] = (await world.batch(batch)).mails
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'mail' }))
    if (outcome.kind !== 'done' || !outcome.result || !due) return
    const { fence } = outcome.result as { fence: number }
    await world.onBatch(batch, { type: 'StartMail', fence, ...due })
    if (m % 3 > 0) await world.send('mail.sent', { batch, fence, ...due, to: [] })
  }

  const act = async ({ what, n, m }: { what: (typeof deeds)[number]; n: number; m: number }) => {
    const batch = pick(batches, n)
    if (what === 'submit') {
      batches.push(batchIdOf(batches.length))
      await world.send('batch.submitted', { batch: batches.at(-1), ...submission }, 'api')
    } else if (what === 'react') await world.react(1 + (n % 5))
    else if (what === 'crash') world.crash(BigInt(n % 20))
    else if (what === 'time') {
      if (m % 4 === 0) world.clock.putForth(((n % 60) - 30) * 60_000)
      else world.clock.putForth((n % 20) * 60_000)
    } else if (what === 'again') {
      const message = pick(world.sent, n)
      if (message) await world.handle(message)
    } else if (batch !== undefined && what === 'open') await open(batch, m)
    else if (batch !== undefined && what === 'report') await report(batch)
    else if (batch !== undefined && what === 'mail') await mail(batch, m)
    else if (batch !== undefined && what === 'batch')
      await world.onBatch(batch, { type: pick(onBatches, m), confirmed: m % 3 > 0, by: 'admin' })
    else await onJob(what, n, m)
  }

  const onJob = async (what: (typeof deeds)[number], n: number, m: number) => {
    const job = pick(await jobs(), n)
    if (job === undefined) return
    if (what === 'claim') await claimJob(job, 1 + (m % 15))
    else if (what === 'step' || what === 'fail') {
      const one = pick(held, n)
      if (one) await step(one, m, what === 'fail')
    } else if (what === 'late') await step({ job, fence: 1 + (m % 4) }, m, m % 2 === 0)
    else if (what === 'expire') await world.onJob(job, { type: 'ExpireClaim' })
    else if (onJobs[what]) await world.onJob(job, { type: onJobs[what], confirmed: m % 3 > 0 })
  }

  /** Everything that can end ends. */
  const end = async () => {
    await world.settle()
    for (const batch of batches) {
      world.clock.putForth(30 * 60_000)
      await world.onBatch(batch, { type: 'ReleaseBatch' })
      await open(batch, 1)
    }
    await world.settle()
    for (const job of await jobs()) {
      world.clock.putForth(30 * 60_000)
      await world.onJob(job, { type: 'ReleaseJob' })
      for (let i = 0; i < 20 && isWorkState((await world.job(job)).state); i++) {
        await claimJob(job)
        const mine = held.at(-1)
        if (mine?.job === job) await step(mine, 1, false)
        world.clock.putForth(11 * 60_000)
      }
    }
    await world.settle()
    for (const batch of batches) await report(batch)
    await world.settle()
  }

  return { world, batches, act, end, jobs, minted: () => minted }
}

type Life = ReturnType<typeof life>

const movesIn = (events: readonly RecordedEvent[]) =>
  events.filter(({ type }) => type === 'JobMoved' || type === 'BatchMoved')

/** Each move begins where the one before ended, and is a row of the table. */
const checkMoves = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of Map.groupBy(movesIn(events), (event) => event.stream)) {
    const table: readonly Move<string>[] = categoryOf(stream) === categories.job ? jobMoves : batchMoves
    let state = 'pending'
    for (const { data } of those) {
      const { from, to, cause } = data as { from: string; to: string; cause: string }
      expect(from, stream).toBe(state)
      expect(table.some((move) => move.from === from && move.to === to && move.row === cause)).toBe(true)
      state = to
    }
  }
}

/** Fences count upwards, and only the last one moves the job. A failure, a resume and a hold keep the priority. */
const checkClaims = (events: readonly RecordedEvent[]) => {
  const ofJobs = events.filter(({ stream }) => categoryOf(stream) === categories.job)
  for (const [, those] of Map.groupBy(ofJobs, (event) => event.stream)) {
    let fence = 0
    let isHeld = false
    for (const event of those) {
      const { type, data } = readOrStop(jobEvents, event)
      if (type === 'StepClaimed') {
        expect(data.fence).toBe(fence + 1)
        expect(isHeld).toBe(false)
        fence++
        isHeld = true
      } else if (type === 'ClaimExpired' || type === 'ClaimReleased') isHeld = false
      else if (type === 'JobMoved') {
        if (data.fence !== undefined) expect([data.fence, isHeld]).toEqual([fence, true])
        isHeld &&= data.fence !== undefined && data.released !== true && isWorkState(data.to)
        if (isResume(data) || data.to === 'held') expect(data.changed?.priority).toBeUndefined()
      }
    }
  }
}

/** An ARK is reserved for one job, a job has one, and stores one version. */
const checkIdentifiers = (events: readonly RecordedEvent[]) => {
  const reserved = events.filter(({ type }) => type === 'ArkReserved')
  expect(new Set(reserved.map(({ stream }) => stream)).size).toBe(reserved.length)
  const versions = events
    .filter(({ type }) => type === 'VersionStored')
    .map(({ data }) => (data as { job: number }).job)
  expect(new Set(versions).size).toBe(versions.length)
  for (const [stream, those] of Map.groupBy(
    events.filter(({ type }) => type === 'JobMoved'),
    (event) => event.stream,
  )) {
    const arks = those.flatMap(({ data }) => (data as { changed?: { ark?: string } }).changed?.ark ?? [])
    expect(new Set(arks).size, stream).toBeLessThanOrEqual(1)
  }
}

/** Each batch has a number of its own, reports once an opening, and names each of its jobs once. */
const checkBatches = async (events: readonly RecordedEvent[], { world, batches }: Life) => {
  const numbers = new Set<number>()
  for (const id of batches) {
    const batch = await world.batch(id)
    expect(batch.number).toBeDefined()
    expect(numbers.size).toBe(numbers.add(batch.number!).size - 1)
    const those = events
      .filter(({ stream }) => stream === `${categories.batch}-${id}`)
      .map((e) => readOrStop(batchEvents, e))
    const moves = those.flatMap(({ type, data }) => (type === 'BatchMoved' ? [data.cause] : []))
    const opened = moves.filter((row) => row === 'I4').length
    expect(opened).toBeLessThanOrEqual(1)
    expect(moves.filter((row) => row === 'I7')).toHaveLength(opened)
    for (const { type, data } of those)
      if (type === 'ReportSaved') {
        const named = [data.completed, data.failed, data.deleted].flatMap((runs) => [...placesIn(runs)])
        expect(named.toSorted((a, b) => a - b)).toEqual([...Array(batch.jobs!.words.length).keys()])
      }
  }
}

/** A job is in the bucket that its state says, and in no other. */
const checkBuckets = async ({ world, batches }: Life) => {
  for (const id of batches) {
    const batch = await world.batch(id)
    if (batch.firstJob === undefined || !batch.jobs) continue
    for (let place = 0; place < batch.jobs.words.length; place++) {
      const { state, facts } = await world.job(batch.firstJob + place)
      expect(facts).toMatchObject({ batch: id, index: place })
      const bucket = state === 'completed' || state === 'failed' || state === 'deleted' ? state : 'open'
      if (batch.state === 'deleted') expect(bucket).toBe('deleted')
      else expect(endOf(batch.jobs, place), `${facts.job} is ${state}`).toBe(bucket)
    }
  }
}

/** The views say what the streams say: a job is in one queue, that of its state, and batches count their jobs rightly. */
const checkViews = async ({ world, batches, jobs }: Life) => {
  const viewStore = openViewStore(':memory:')
  try {
    await catchUp({ eventStore: world.eventStore, viewStore, projections: [ingest] })
    const shown = new Map(rows(viewStore, views.jobs).map((row) => [row.job, row]))
    for (const job of await jobs()) {
      const { state, priority, retries, lastSuccessful, claims, cleaned } = await world.job(job)
      const row = shown.get(job)
      if (state === 'deleted' && cleaned) continue
      const waits = isWorkState(state) ? (claims.lease?.deadline ?? claims.notBefore ?? '') : null
      expect(row, `${job} ${state}`).toMatchObject({
        ...{ state, priority, retryCount: retries, lastSuccessfulStatus: lastSuccessful, available: waits },
      })
    }
    for (const id of batches) {
      const { state, jobs: known } = await world.batch(id)
      const row = rows(viewStore, views.batches, { where: [is('batch', id)] })[0]
      if (state === 'deleted') continue
      expect(row, id).toMatchObject({ state, ...known?.counts })
    }
  } finally {
    viewStore.close()
  }
}

it('whatever happens, no job is lost, none is in two places, and each batch reports once an opening', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 200, size: 'max' }), async (doings) => {
      const one = life()
      await one.act({ what: 'submit', n: 0, m: 0 })
      await one.world.settle()
      await one.act({ what: 'open', n: 0, m: 3 })
      await one.world.settle()
      for (const doing of doings) await one.act(doing)
      await one.world.settle()
      await checkBuckets(one)
      await checkViews(one)
      await one.end()
      await checkBuckets(one)
      await checkViews(one)
      const events = await one.world.all()
      for (const { data } of movesIn(events)) seen.add((data as { cause: string }).cause)
      checkMoves(events)
      checkClaims(events)
      checkIdentifiers(events)
      await checkBatches(events, one)
      expect((await one.jobs()).length).toBe(new Set(await one.jobs()).size)
    }),
    { numRuns: 100 },
  )
  // These lives are worth something: most rows are made in them.
  expect(seen.size).toBeGreaterThan(25)
})
