import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { type WorkState, workStates } from '#src/domain/ingest/transitions.ts'
import {
  ark,
  by,
  claimJob,
  complete,
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
    back.gives([{ type: 'ClaimExpired', data: { fence: 1, at: t(30), deaths: 1 } }])
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
    for (const needed of ['version', 'inventoryDigest'] as const) {
      const { [needed]: _, ...others } = findings('storing')
      givenJob(...jobIn('storing', true))
        .when(complete('storing', 1, others))
        .gives('incomplete')
    }
  })
})

describe('several steps told at once', () => {
  const steps = (...states: readonly WorkState[]) =>
    states.map((state) => ({ state, changes: findings(state) }))
  const completeAll = (states: readonly WorkState[], release?: boolean): JobCommand =>
    ({
      ...{ type: 'CompleteSteps', fence: 1, steps: steps(...states), release, ...by(2) },
    }) as JobCommand

  it('are a move each, in their order, and the claim goes on', () => {
    const { events, state } = givenJob(...jobIn('estimating', true)).when(
      completeAll(['estimating', 'provisioning', 'downloading', 'processing']),
    )
    expect(moves(events)).toEqual([
      'estimating → provisioning I24',
      'provisioning → downloading I26',
      'downloading → processing I27',
      'processing → storing N3',
    ])
    expect(state).toMatchObject({
      state: 'storing',
      lastSuccessful: 'processing',
      found: { ark, spaceNeeded: 1000 },
    })
    expect(state?.claims.lease?.fence).toBe(1)
  })

  it('give the job back with the last of them', () => {
    const { events, state } = givenJob(...jobIn('pending', true)).when(
      completeAll(['pending', 'estimating'], true),
    )
    expect(events.map(({ data }) => 'released' in data)).toEqual([false, true])
    expect(state).toMatchObject({ state: 'provisioning' })
    expect(state?.claims.lease).toBeUndefined()
  })

  it('are made all, or none', () => {
    givenJob(...jobIn('estimating', true))
      .when(completeAll(['estimating', 'downloading']))
      .gives('not-allowed')
    givenJob(...jobIn('estimating'))
      .when(completeAll(['estimating']))
      .gives('fenced')
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
    expect(isLeft(result) && result.left.message).toMatch(/(bob@example\.org|worker-1) .*"confirmed": true/)
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

  it('N15: a held one is released by it, and fails; it is resumed as pending', () => {
    const forced = givenJob(...jobIn('held')).when(force())
    expect(moves(forced.events)).toEqual(['held → pending I22', 'pending → failed N15'])
    expect(jobAfter(playJob(jobIn('held'), force(), resume())).state).toBe('pending')
  })

  it('N15: of many at once what has ended is left', () => {
    const ofMany = { ...force(), ifOpen: true } as JobCommand
    for (const state of ['completed', 'deleted'] as const)
      givenJob(...jobIn(state))
        .when(ofMany)
        .gives([])
    givenJob(...failedIn('storing'))
      .when(ofMany)
      .gives([])
    expect(moves(givenJob(...jobIn('storing')).when(ofMany).events)).toEqual(['storing → failed N15'])
  })
})
