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
  findings,
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

describe('claims', () => {
  it('I17: one at a time, and the next has a higher number (X23)', () => {
    const claimed = playJob(jobIn('estimating'), claimJob('estimating', 3))
    givenJob(...claimed)
      .when(claimJob('estimating', 4, 'worker-2'))
      .gives('held')
    const { events } = givenJob(...claimed).when(claimJob('estimating', 20, 'worker-2'))
    expect(events.map(({ type }) => type)).toEqual(['ClaimExpired', 'StepClaimed'])
    expect(events[1]?.data).toMatchObject({ fence: 3, holder: 'worker-2', state: 'estimating' })
  })

  it('what waits for a person, or is over, is not claimed', () => {
    for (const state of ['held', 'completed', 'failed', 'deleted'] as const)
      givenJob(...jobIn(state))
        .when({ ...claimJob('pending', 30), state } as never)
        .gives('nothing-to-do')
  })

  it('a job that has moved since is not claimed', () => {
    givenJob(...jobIn('storing'))
      .when(claimJob('downloading', 3))
      .gives('not-allowed')
  })

  it('X22: a worker that dies gives the job back in the same state, and rc stays', () => {
    const claimed = jobIn('downloading', true)
    const back = givenJob(...claimed).when({ type: 'ExpireClaim', ...by(30) })
    back.gives([{ type: 'ClaimExpired', data: { fence: 1, at: t(30) } }])
    expect(back.state).toMatchObject({ state: 'downloading', retries: 0 })
    givenJob(...claimed, ...back.events)
      .when(complete('downloading'))
      .gives('fenced')
  })

  it('a late one is refused once another holds the job', () => {
    const taken = playJob(jobIn('downloading', true), claimJob('downloading', 30, 'worker-2'))
    givenJob(...taken)
      .when(complete('downloading', 1))
      .gives('fenced')
    expect(moves(givenJob(...taken).when(complete('downloading', 2)).events)).toEqual([
      'downloading → processing I27',
    ])
  })

  it('one claim goes on over consecutive steps, until the worker gives it back with one', () => {
    const on = jobIn('storing', true)
    expect(jobAfter(on).claims.lease?.fence).toBe(1)
    const given = playJob(on, complete('storing', 1, findings('storing'), { release: true }))
    expect(jobAfter(given).claims.lease).toBeUndefined()
    expect(moves(givenJob(...given).when(claimJob('recording', 3)).events)).toEqual([])
  })

  it('what was put off is not offered before', () => {
    const off = playJob(jobIn('storing', true), {
      type: 'ReleaseClaim',
      fence: 1,
      reason: 'its object is held',
      until: t(8),
      ...by(3),
    })
    givenJob(...off)
      .when(claimJob('storing', 7))
      .gives('not-yet')
    expect(givenJob(...off).when(claimJob('storing', 8)).events).toHaveLength(1)
  })

  it('what redelivers or comes late names both states', () => {
    const { result } = givenJob(...jobIn('storing', true)).when(complete('downloading'))
    expect(isLeft(result) && result.left.message).toMatch(/storing.*processing/)
  })
})

describe('holds', () => {
  const onHold = (holds: { all?: string; collection?: string }, state: 'pending' | 'storing'): JobCommand =>
    ({ ...claimJob(state, 3), holds }) as JobCommand

  it('I20, X21: a pending job of a collection on hold is held, others finish', () => {
    const { events } = givenJob(...jobIn('pending')).when(onHold({ collection: 'moving house' }, 'pending'))
    expect(moves(events)).toEqual(['pending → held I20'])
    expect(events).toHaveLength(1)
    expect(
      givenJob(...jobIn('storing')).when(onHold({ collection: 'moving house' }, 'storing')).events,
    ).toMatchObject([{ type: 'StepClaimed' }])
  })

  it('while all ingest is paused nothing is begun', () => {
    givenJob(...jobIn('storing'))
      .when(onHold({ all: 'disk' }, 'storing'))
      .gives('paused')
    givenJob(...jobIn('pending'))
      .when(onHold({ all: 'disk', collection: 'x' }, 'pending'))
      .gives('paused')
  })

  it('C9: a job released under a hold never reaches estimating while it stands', () => {
    const released = playJob(jobIn('held'), admin('ReleaseJob'))
    expect(moves(givenJob(...released).when(onHold({ collection: 'still' }, 'pending')).events)).toEqual([
      'pending → held I20',
    ])
  })

  it('X25: a job that is being worked on is not held', () => {
    givenJob(...jobIn('pending', true))
      .when(admin('HoldJob', 3))
      .gives('held')
    givenJob(...jobIn('estimating'))
      .when(admin('HoldJob'))
      .gives('not-allowed')
  })

  it('a release of all leaves alone what is not held', () => {
    givenJob(...jobIn('storing'))
      .when({ type: 'ReleaseJob', ifHeld: true, ...reason, ...by(3) })
      .gives([])
  })
})

describe('failures and resumes', () => {
  it('C6: a resume goes on where the job failed; any other step is refused', () => {
    for (const state of workStates) {
      expect(jobAfter(playJob(failedIn(state), resume()))).toMatchObject({ state, retries: 1 })
      for (const other of workStates)
        if (other !== state)
          givenJob(...failedIn(state))
            .when(resume(other))
            .gives('not-allowed')
    }
  })

  it('I19, N7, C11: what failed for good is not resumed, wherever it failed', () => {
    for (const state of workStates)
      givenJob(...failedIn(state, true))
        .when(resume())
        .gives('permanent')
  })

  it('C1: an unknown size is no failure', () => {
    const { state } = givenJob(...jobIn('estimating', true)).when(
      complete('estimating', 1, { spaceNeeded: 0, sizeKnown: false }),
    )
    expect(state).toMatchObject({ state: 'provisioning', found: { spaceNeeded: 0, sizeKnown: false } })
  })

  it('C3: what was successful last when the callback failed is recording', () => {
    expect(jobAfter(failedIn('notify')).lastSuccessful).toBe('recording')
  })

  it('C4: an initialised job goes to estimating', () => {
    expect(jobAfter(jobIn('estimating'))).toMatchObject({ state: 'estimating', lastSuccessful: null })
  })

  it('C19: storing lies between processing and recording', () => {
    const jump = { ...complete('processing'), state: 'storing' } as JobCommand
    givenJob(...jobIn('processing', true))
      .when(jump)
      .gives('not-allowed')
  })

  it('the identifier of a job never changes', () => {
    const other = 'ark:/99999/fk4other'
    givenJob(...jobIn('storing', true))
      .when(complete('storing', 1, { ...findings('storing'), ark: other }))
      .gives('other-ark')
    givenJob(
      ...playJob([], { type: 'CreateJob', facts: { ...facts, primary: ark }, ...by() }, claimJob('pending')),
    )
      .when({ ...fail('pending'), ark: other } as JobCommand)
      .gives('other-ark')
  })

  it('a step that says nothing of what it is for is not done', () => {
    givenJob(...jobIn('processing', true))
      .when(complete('processing', 1, {}))
      .gives('incomplete')
    givenJob(...jobIn('storing', true))
      .when(complete('storing', 1, {}))
      .gives('incomplete')
  })
})

describe('another inventory', () => {
  const says = (version: number): JobCommand => ({
    type: 'CompleteStep',
    state: 'recording',
    changes: {},
    version,
    ...by(4),
  })
  it('I31, I32: moves a job that is recording, of the version that was stored', () => {
    const { events, state } = givenJob(...jobIn('recording')).when(says(1))
    expect(moves(events)).toEqual(['recording → notify I31'])
    expect(state?.claims.lease).toBeUndefined()
    givenJob(...jobIn('recording'))
      .when(says(2))
      .gives('version-conflict')
    givenJob(...jobIn('storing'))
      .when(says(1))
      .gives('not-allowed')
    const no: JobCommand = {
      type: 'FailStep',
      state: 'recording',
      message: 'owner unknown',
      version: 1,
      ...by(4),
    }
    expect(moves(givenJob(...jobIn('recording')).when(no).events)).toEqual(['recording → failed I32'])
  })
  it('may move nothing else', () => {
    const step: JobCommand = { type: 'CompleteStep', state: 'notify', changes: {}, ...by(4) }
    givenJob(...jobIn('notify'))
      .when(step)
      .gives('not-allowed')
  })
})

describe('what somebody will not be told needs a second word', () => {
  it.each([
    ['I40', failedIn('storing'), remove(false)],
    ['I41', jobIn('held'), remove(false)],
    ['N15', jobIn('storing', true), force(false)],
    ['N15, unheld', jobIn('storing'), force(false)],
  ] as const)('%s', (_, history, command) => {
    const { result } = givenJob(...history).when(command)
    expect(isLeft(result) && result.left).toMatchObject({ code: 'unconfirmed' })
    expect(isLeft(result) && result.left.message).toMatch(/(bob@example\.org|worker-1) .*confirmed: true/)
  })

  it('N15: a forced fail ends the claim, and is resumed where it was', () => {
    for (const state of workStates) {
      const forced = playJob(jobIn(state, true), force())
      expect(moves(forced).at(-1)).toBe(`${state} → failed N15`)
      expect(jobAfter(forced).claims.lease).toBeUndefined()
      givenJob(...forced)
        .when(complete(state))
        .gives('fenced')
      expect(jobAfter(playJob(forced, resume())).state).toBe(state)
    }
  })
})

describe('whatever is not listed is refused by name of both states', () => {
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
    if (!(workStates as readonly string[]).includes(state)) refused(force())
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
