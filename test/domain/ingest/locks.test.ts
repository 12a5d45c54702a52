import { describe, expect, it } from 'vitest'
import { counterDecider } from '#src/domain/ingest/counter/decide.ts'
import { holdDecider } from '#src/domain/ingest/hold/decide.ts'
import { housekeepingDecider } from '#src/domain/ingest/housekeeping/decide.ts'
import { localIdDecider } from '#src/domain/ingest/local-id/decide.ts'
import { objectDecider } from '#src/domain/ingest/object/decide.ts'
import type { ObjectEvent, ObjectFacts } from '#src/domain/ingest/object/events.ts'
import { profileDecider } from '#src/domain/ingest/profile/decide.ts'
import { volumeDecider } from '#src/domain/ingest/volume/decide.ts'
import { specify } from '../../given.ts'
import { ark, batchId, by, millis, profile, sha256, t } from './samples.ts'

const at = t(0)
const file = (n: number) => ({ path: `producer/${n}.tif`, size: 1, sha256 })
const object: ObjectFacts = {
  batch: batchId,
  profile: 'letters',
  collection: 'letters',
  owner: 'none',
  localIds: [],
  mode: 'add',
}

describe('the identifier of an object', () => {
  const given = specify(objectDecider)
  const reserve = (job: number) => ({ type: 'ReserveArk', ark, job, fence: 1, ...by() }) as const
  const reserved: ObjectEvent = { type: 'ArkReserved', data: { job: 12, fence: 1, at } }

  it('is one job’s for ever, and the same again for that job (X14)', () => {
    given().when(reserve(12)).gives([reserved])
    given(reserved).when(reserve(12)).gives([])
    given(reserved).when(reserve(13)).gives('taken')
    given({ type: 'ObjectClaimed', data: { job: 12, fence: 1, at } })
      .when(reserve(13))
      .gives('taken')
  })
})

describe('an object takes versions of one job at a time', () => {
  const given = specify(objectDecider)
  const claim = (job: number, fence: number, over?: { job: number; fence: number }) =>
    ({ type: 'ClaimObject', ark, job, fence, over, ...by() }) as const
  const claimed = (job: number, fence: number): ObjectEvent => ({
    type: 'ObjectClaimed',
    data: { job, fence, at },
  })
  const store = (job: number, fence: number, version: number, files = 1, listed = [file(0)]) =>
    ({
      type: 'RecordVersion',
      ark,
      job,
      fence,
      version,
      inventoryDigest: `d${version}`,
      files,
      bytes: files,
      listed,
      object,
      ...by(),
    }) as const
  const list = (from: number, ...files: number[]) =>
    ({
      type: 'ListFiles',
      ark,
      job: 12,
      fence: 1,
      version: 1,
      from,
      files: files.map(file),
      ...by(),
    }) as const

  it('another job waits for as long as the holder is at it, and then takes over', () => {
    given(claimed(12, 1)).when(claim(13, 1)).gives('held')
    given(claimed(12, 1))
      .when(claim(13, 1, { job: 12, fence: 1 }))
      .gives([claimed(13, 1)])
  })

  it('a holder that was resumed meanwhile keeps it', () => {
    given(claimed(12, 2))
      .when(claim(13, 1, { job: 12, fence: 1 }))
      .gives('held')
  })

  it('a later claim of the job goes before an earlier one', () => {
    given(claimed(12, 1)).when(claim(12, 1)).gives([])
    const later = given(claimed(12, 1)).when(claim(12, 2))
    later.gives([claimed(12, 2)])
    given(claimed(12, 1), ...later.events)
      .when(store(12, 1, 1))
      .gives('fenced')
    given(claimed(12, 2)).when(claim(12, 1)).gives('fenced')
  })

  it('a version is stored once, and the next one follows it', () => {
    const first = given(claimed(12, 1)).when(store(12, 1, 1))
    expect(first.events).toMatchObject([
      { type: 'VersionStored', data: { version: 1, listed: [file(0)], object } },
    ])
    const then = given(claimed(12, 1), ...first.events)
    then.when(store(12, 1, 1)).gives([])
    expect(then.when(store(12, 1, 2)).events).toHaveLength(1)
    then.when({ ...store(12, 1, 1), inventoryDigest: 'other' }).gives('version-conflict')
    given()
      .when(store(12, 1, 1))
      .gives('fenced')
  })

  it('a version whose job was killed before it said so is told late', () => {
    const second = given(claimed(13, 1)).when(store(13, 1, 2)).events
    const late = given(claimed(13, 1), ...second, claimed(12, 2))
    expect(late.when(store(12, 2, 1)).events).toMatchObject([{ data: { version: 1, job: 12 } }])
    late.when(store(12, 2, 2)).gives('version-conflict')
  })

  it('all of its files are listed before', () => {
    const listed = given(claimed(12, 1)).when(list(0, 0, 1))
    const then = given(claimed(12, 1), ...listed.events)
    then.when(list(0, 0, 1)).gives([])
    then.when(list(3, 3)).gives('incomplete')
    then.when(store(12, 1, 1, 4)).gives('incomplete')
    expect(then.when(store(12, 1, 1, 3)).events).toHaveLength(1)
    given(claimed(12, 2), ...listed.events)
      .when(store(12, 2, 1, 3))
      .gives('incomplete')
  })
})

describe('a local id means one object', () => {
  const given = specify(localIdDecider)
  const claim = (job: number, fence = 1, over?: { job: number; fence: number }) =>
    ({ type: 'ClaimLocalId', job, fence, over, ...by() }) as const
  const bind = (job: number, to = ark, fence = 1) =>
    ({ type: 'BindLocalId', job, fence, ark: to, ...by() }) as const
  const claimed = (job: number, fence = 1) => ({ type: 'LocalIdClaimed', data: { job, fence, at } }) as const
  const bound = { type: 'LocalIdBound', data: { job: 12, ark, at } } as const

  it('two jobs with the same one do not mint twice', () => {
    given()
      .when(claim(12))
      .gives([claimed(12)])
    given(claimed(12)).when(claim(13)).gives('held')
    given(claimed(12)).when(bind(13)).gives('fenced')
    given(claimed(12)).when(bind(12)).gives([bound])
    // Another worker has the job by now.
    given(claimed(12, 2)).when(bind(12)).gives('fenced')
    given(claimed(12), bound).when(claim(13)).gives([])
    given(claimed(12))
      .when(claim(13, 1, { job: 12, fence: 1 }))
      .gives([claimed(13)])
    given(claimed(12, 2))
      .when(claim(13, 1, { job: 12, fence: 1 }))
      .gives('held')
    given(claimed(12, 2)).when(claim(12, 1)).gives('fenced')
    given(claimed(12, 1))
      .when(claim(12, 2))
      .gives([claimed(12, 2)])
  })

  it('X15: it never means another one', () => {
    given(claimed(12), bound).when(bind(13)).gives([])
    given(claimed(12), bound).when(bind(13, 'ark:/99999/fk4other')).gives('other-ark')
  })
})

describe('numbers', () => {
  it('count upwards and are never given twice', () => {
    const given = specify(counterDecider)
    const take = (count: number) => ({ type: 'TakeIds', for: batchId, count, ...by() }) as const
    const first = given().when(take(10_000)).events
    expect(first).toEqual([{ type: 'IdsTaken', data: { for: batchId, first: 1, count: 10_000, at } }])
    expect(given(...first).when(take(1)).events).toMatchObject([{ data: { first: 10_001 } }])
  })
})

describe('holds', () => {
  const given = specify(holdDecider)
  const command = (type: 'SetHold' | 'ReleaseHold' | 'ReleaseJobs', reason = 'disk') =>
    ({ type, reason, ...by() }) as const
  const held = { type: 'HoldSet', data: { reason: 'disk', at } } as const

  it('are set with a reason and released', () => {
    given().when(command('SetHold')).gives([held])
    given(held).when(command('SetHold')).gives([])
    expect(given(held).when(command('SetHold', 'power')).state).toBe('power')
    expect(given(held).when(command('ReleaseHold', 'mended')).state).toBeUndefined()
    given().when(command('ReleaseHold')).gives('not-held')
    expect(given(held).when(command('ReleaseJobs')).state).toBe('disk')
  })
})

describe('a work volume', () => {
  it('has its room given out by one at a time', () => {
    const given = specify(volumeDecider)
    const claim = (minutes: number) =>
      ({ type: 'ClaimVolume', holder: 'w', deadline: t(minutes + 10), millis, ...by(minutes) }) as const
    const { events } = given().when(claim(0))
    expect(events).toMatchObject([{ type: 'StepClaimed', data: { fence: 1, state: 'provisioning' } }])
    given(...events)
      .when(claim(1))
      .gives('held')
    expect(given(...events).when(claim(10)).events).toMatchObject([
      { type: 'ClaimExpired' },
      { data: { fence: 2 } },
    ])
    given(...events)
      .when({ type: 'ReleaseClaim', fence: 2, reason: 'stop', ...by() })
      .gives('fenced')
  })
})

describe('profiles and housekeeping', () => {
  it('the same profile again is no event', () => {
    const given = specify(profileDecider)
    const set = { type: 'SetProfile', profile, ...by() } as const
    const { events } = given().when(set)
    expect(events).toEqual([{ type: 'ProfileSet', data: { profile, at } }])
    given(...events)
      .when(set)
      .gives([])
    expect(given(...events).when({ ...set, profile: { ...profile, priority: 3 } }).events).toHaveLength(1)
  })

  it('folders are cleaned up to the latest time that was ordered', () => {
    const given = specify(housekeepingDecider)
    const ask = (minutes: number) =>
      ({ type: 'RequestCleaning', before: t(minutes), reason: 'full', ...by() }) as const
    const first = given().when(ask(5)).events
    expect(given(...first).when(ask(1)).state).toEqual({ cleanBefore: t(5) })
    expect(
      given().when({ type: 'RequestSweep', before: t(5), reason: 'full', ...by() }).events,
    ).toMatchObject([{ type: 'SweepRequested' }])
  })
})
