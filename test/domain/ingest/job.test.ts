import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { type JobState, jobMoves, type Move, workStates } from '#src/domain/ingest/transitions.ts'
import { orderOf } from '#src/domain/ingest/views.ts'
import {
  ark,
  by,
  claimJob,
  complete,
  create,
  facts,
  fail,
  failedIn,
  givenJob,
  jobAfter,
  jobIn,
  moves,
  playJob,
  reason,
  resume,
  t,
} from './samples.ts'

const admin = (type: 'HoldJob' | 'ReleaseJob', minutes = 3): JobCommand => ({
  type,
  ...reason,
  ...by(minutes),
})
const remove = (confirmed = true): JobCommand => ({ type: 'DeleteJob', confirmed, ...reason, ...by(3) })
const force = (confirmed = true): JobCommand => ({ type: 'ForceFail', confirmed, ...reason, ...by(3) })
const withBatch = (row: 'I15' | 'I16'): JobCommand => ({ type: 'DeleteWithBatch', row, ...by(3) })

describe('each row of the table is one event', () => {
  it('I18: none → pending, with what the batch says, at priority 5', () => {
    const made = givenJob().when(create)
    made.gives([{ type: 'JobCreated', data: { ...facts, at: t(0) } }])
    expect(made.state).toMatchObject({ state: 'pending', lastSuccessful: null, retries: 0, priority: 5 })
    givenJob(...made.events)
      .when(create)
      .gives([])
    givenJob(...made.events)
      .when({ type: 'CreateJob', facts: { ...facts, index: 3 }, ...by() })
      .gives('exists')
  })

  it.each([
    ['I19', jobIn('pending', true), fail('pending', 1, true), 'pending → failed I19'],
    ['I20', jobIn('pending'), admin('HoldJob'), 'pending → held I20'],
    ['I21', jobIn('pending', true), complete('pending'), 'pending → estimating I21'],
    ['I22', jobIn('held'), admin('ReleaseJob'), 'held → pending I22'],
    ['I24', jobIn('estimating', true), complete('estimating'), 'estimating → provisioning I24'],
    ['I26', jobIn('provisioning', true), complete('provisioning'), 'provisioning → downloading I26'],
    ['I27', jobIn('downloading', true), complete('downloading'), 'downloading → processing I27'],
    ['I28', jobIn('downloading', true), fail('downloading'), 'downloading → failed I28'],
    ['I29, as N3', jobIn('processing', true), complete('processing'), 'processing → storing N3'],
    ['I30', jobIn('processing', true), fail('processing'), 'processing → failed I30'],
    ['N3', jobIn('storing', true), complete('storing'), 'storing → recording N3'],
    ['N4', jobIn('storing', true), fail('storing'), 'storing → failed N4'],
    ['I31', jobIn('recording', true), complete('recording'), 'recording → notify I31'],
    ['I32', jobIn('recording', true), fail('recording'), 'recording → failed I32'],
    ['I33', jobIn('notify', true), complete('notify'), 'notify → completed I33'],
    ['I34', jobIn('notify', true), fail('notify'), 'notify → failed I34'],
    ['I35', failedIn('downloading'), resume(), 'failed → downloading I35'],
    ['I36', failedIn('processing'), resume(), 'failed → processing I36'],
    ['N4', failedIn('storing'), resume(), 'failed → storing N4'],
    ['I37', failedIn('recording'), resume(), 'failed → recording I37'],
    ['I38', failedIn('notify'), resume(), 'failed → notify I38'],
    ['I40', failedIn('downloading'), remove(), 'failed → deleted I40'],
    ['I41', jobIn('held'), remove(), 'held → deleted I41'],
    ['N1', jobIn('estimating', true), fail('estimating'), 'estimating → failed N1'],
    ['N1', failedIn('estimating'), resume(), 'failed → estimating N1'],
    ['N2', jobIn('provisioning', true), fail('provisioning'), 'provisioning → failed N2'],
    ['N2', failedIn('provisioning'), resume(), 'failed → provisioning N2'],
    ['N7', failedIn('pending'), resume(), 'failed → pending N7'],
    ['I15', jobIn('storing', true), withBatch('I15'), 'storing → deleted I15'],
    ['I16', jobIn('completed'), withBatch('I16'), 'completed → deleted I16'],
    ['N8', failedIn('notify'), withBatch('I15'), 'failed → deleted I15'],
  ] as const)('%s: %#', (_, history, command, move) => {
    const { events } = givenJob(...history).when(command)
    expect(events).toHaveLength(1)
    expect(moves(events)).toEqual([move])
  })

  it('none is forgotten, and none is made twice', () => {
    const rows = (jobMoves as readonly Move<string>[]).map(({ row, from, to }) => `${from} → ${to} ${row}`)
    expect(new Set(rows).size).toBe(rows.length)
    // Claiming (I17), waiting (I25) and cleaning (I39) are no moves; I23 is the work of I24; I29 became N3.
    const noMoves = [17, 23, 25, 29, 39]
    const wanted = Array.from({ length: 41 - 17 }, (_, i) => 18 + i).filter((n) => !noMoves.includes(n))
    const made = new Set(rows.map((row) => row.split(' ').at(-1)))
    for (const n of wanted) expect(made).toContain(`I${n}`)
  })
})

describe('a move keeps what it does not change', () => {
  it('I23, I24: a changed priority counts from that very move on', () => {
    const history = jobIn('estimating', true)
    const changes = { spaceNeeded: 0, sizeKnown: false, priority: 15 }
    const { events, state } = givenJob(...history).when(complete('estimating', 1, changes))
    expect(jobAfter(history).priority).toBe(5)
    expect(events).toMatchObject([
      { data: { to: 'provisioning', changed: { priority: 15, sizeKnown: false } } },
    ])
    expect(state).toMatchObject({ priority: 15, lastSuccessful: 'estimating' })
  })

  it('I27: space and priority are corrected where they differ', () => {
    const { events } = givenJob(...jobIn('downloading', true)).when(
      complete('downloading', 1, { spaceNeeded: 1000, sizeKnown: true, priority: 5 }),
    )
    expect(events[0]?.data).not.toHaveProperty('changed')
  })

  it('I28: what was successful last stays, and so does the count of resumes', () => {
    expect(jobAfter(failedIn('downloading'))).toMatchObject({
      lastSuccessful: 'provisioning',
      retries: 0,
      failedIn: 'downloading',
    })
  })

  it('I29: the identifier is there from that move on; I30: and stays with a failure', () => {
    expect(jobAfter(jobIn('storing')).found.ark).toBe(ark)
    const failed = playJob(jobIn('processing', true), { ...fail('processing'), ark } as JobCommand)
    expect(jobAfter(playJob(failed, resume())).found.ark).toBe(ark)
  })

  it('I35: a resume counts, and keeps the priority', () => {
    const again = jobAfter(playJob(failedIn('downloading'), resume()))
    expect(again).toMatchObject({ state: 'downloading', retries: 1, priority: 5, permanent: false })
  })

  it('I39: cleaning is a fact, not a move: the job stays completed (C12, C21)', () => {
    const clean: JobCommand = { type: 'NoteFolderCleaned', ...by(9) }
    const cleaned = givenJob(...jobIn('completed')).when(clean)
    cleaned.gives([{ type: 'WorkFolderCleaned', data: { at: t(9) } }])
    expect(cleaned.state).toMatchObject({ state: 'completed', cleaned: true })
    givenJob(...jobIn('completed'), ...cleaned.events)
      .when(clean)
      .gives([])
    givenJob(...jobIn('storing'))
      .when(clean)
      .gives('not-allowed')
    givenJob(...failedIn('storing'))
      .when(clean)
      .gives('not-allowed')
  })
})

describe('whatever is not listed is refused by name of both states', () => {
  const isOpen = (state: JobState) => state === 'held' || (workStates as readonly string[]).includes(state)
  const all: readonly JobState[] = ['held', 'completed', 'failed', 'deleted', ...workStates]

  it.each(all)('%s', (state) => {
    const history = state === 'failed' ? failedIn('storing') : jobIn(state)
    const refused = (command: JobCommand) => {
      const { result } = givenJob(...history).when(command)
      expect(isLeft(result), command.type).toBe(true)
      if (isLeft(result)) {
        expect(result.left.code).toBe('not-allowed')
        expect(result.left.message).toContain(state)
      }
    }
    if (state !== 'failed') refused(resume('storing'))
    if (state !== 'failed' && state !== 'held') refused(remove())
    if (state !== 'held') refused(admin('ReleaseJob'))
    if (state !== 'pending') refused(admin('HoldJob'))
    if (!isOpen(state)) refused(force())
    if (state !== 'deleted') return
    for (const step of workStates) refused(claimJob(step, 30))
  })

  it('of what is not there, nothing', () => {
    givenJob().when(resume()).gives('unknown')
  })
})

describe('the order of the queue', () => {
  it('C22: the lower number first, then the older job', () => {
    const order: readonly (readonly [number, number])[] = [
      [5, 2],
      [10, 1],
      [5, 10],
      [0, 99],
      [99, 3],
    ]
    expect(order.toSorted((a, b) => (orderOf(...a) < orderOf(...b) ? -1 : 1))).toEqual([
      [0, 99],
      [5, 2],
      [5, 10],
      [10, 1],
      [99, 3],
    ])
  })

  it('a priority beyond two digits is clamped', () => {
    const { state } = givenJob(...jobIn('estimating', true)).when(
      complete('estimating', 1, { spaceNeeded: 0, sizeKnown: false, priority: 105 }),
    )
    expect(state?.priority).toBe(99)
  })
})
