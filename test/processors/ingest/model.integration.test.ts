import fc from 'fast-check'
import { expect, it } from 'vitest'
import { batchEvents } from '#src/domain/ingest/batch/events.ts'
import { endOf } from '#src/domain/ingest/batch/jobs.ts'
import { categories } from '#src/domain/ingest/ids.ts'
import { placesIn } from '#src/domain/ingest/runs.ts'
import { batchMoves, isWorkState, jobMoves, type Move } from '#src/domain/ingest/transitions.ts'
import * as views from '#src/domain/ingest/views.ts'
import { categoryOf, type RecordedEvent } from '#src/domain/kernel/event.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { readOrStop } from '#src/processors/runtime/read-or-stop.ts'
import { ingest } from '#src/projections/ingest/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { openTestViews } from '../../fakes/views.ts'
import { runs } from '../../runs.ts'
import {
  checkClaims,
  checkHolds,
  checkLocalIds,
  checkNotes,
  checkNumbers,
  checkPriorities,
  checkResumes,
  checkTold,
} from './laws.ts'
import { deed, type Life, life } from './life.ts'

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
  const viewStore = openTestViews()
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
        order: views.orderOf(priority, job),
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
      checkResumes(events)
      checkPriorities(events)
      checkHolds(one.claims)
      checkTold(events)
      checkNotes(events)
      checkNumbers(events)
      checkLocalIds(events)
      checkIdentifiers(events)
      await checkBatches(events, one)
      expect((await one.jobs()).length).toBe(new Set(await one.jobs()).size)
    }),
    { numRuns: runs(100) },
  )
  // These lives are worth something: most rows are made in them.
  expect(seen.size).toBeGreaterThan(25)
})
