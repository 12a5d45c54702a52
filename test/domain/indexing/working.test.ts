import { describe, expect, it } from 'vitest'
import { decider } from '#src/domain/indexing/decide.ts'
import type { IndexingEvent } from '#src/domain/indexing/events.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import {
  by,
  claim,
  claimed,
  discovered,
  elsewhere,
  failure,
  given,
  history,
  indexed,
  missing,
  place,
  policy,
  report,
  salvaged,
  sight,
  success,
  t,
} from './commands.ts'

describe('a claim', () => {
  it('W21 is granted to one at a time', () => {
    given(discovered)
      .when(claim(0))
      .gives([claimed(0, 1)])
    given(discovered, claimed(0, 1)).when(claim(4, 'worker-2')).gives('held')
    given().when(claim(0)).gives('unknown-file')
  })

  it('waits until the file has stood still', () => {
    const young = history([], sight(0, place(100, -3)))
    given(...young)
      .when(claim(6))
      .gives('not-due')
    given(...young)
      .when(claim(7))
      .gives([claimed(7, 1)])
  })

  it('is extended while it is held, and given back without a failure', () => {
    given(discovered, claimed(0, 1))
      .when({ type: 'ExtendClaim', ...by(4), fence: 1, deadline: t(9) })
      .gives([{ type: 'ClaimExtended', data: { fence: 1, deadline: t(9) } }])
    const released = history([discovered, claimed(0, 1)], {
      type: 'ReleaseClaim',
      ...by(4),
      fence: 1,
      reason: 'stopped',
    })
    expect(given(...released).state).toMatchObject({ status: 'new', failures: 0 })
    given(...released)
      .when(claim(5, 'worker-1'))
      .gives([claimed(5, 2)])
    given(discovered, claimed(0, 1), claimed(6, 2))
      .when({ type: 'ReleaseClaim', ...by(7), fence: 1, reason: 'stopped' })
      .gives('fenced')
  })

  it('that the machine could not work on is no failure, and due again later', () => {
    const release = {
      type: 'ReleaseClaim',
      ...by(4),
      fence: 1,
      reason: 'the disk is full',
      until: t(19),
    } as const
    const deferred = history([discovered, claimed(0, 1)], release)
    expect(given(...deferred).state).toMatchObject({ status: 'new', failures: 0, dueAt: t(19) })
    given(...deferred)
      .when(claim(18))
      .gives('not-due')
    given(...deferred)
      .when(claim(19))
      .gives([claimed(19, 2)])
  })

  it('that runs out is a failure, written once', () => {
    const expire = { type: 'ExpireClaim', ...by(5), policy } as const
    const ranOut = given(discovered, claimed(0, 1)).when(expire)
    expect(ranOut.events).toMatchObject([
      { type: 'ClaimExpired' },
      { type: 'IndexingFailed', data: { failures: 1, code: 'silent', dueAt: t(20) } },
    ])
    given(discovered, claimed(0, 1), ...ranOut.events)
      .when(expire)
      .gives([])
    given(discovered, claimed(0, 1))
      .when({ ...expire, at: t(4) })
      .gives([])
    expect(
      given(discovered, claimed(0, 1)).when({
        ...expire,
        at: t(-600),
        silence: { fence: 1, deadline: t(5), millis: 5 * MINUTE },
      }).events,
    ).toHaveLength(2)
  })

  it('that runs out for the last time parks the file, and grants nothing', () => {
    const [first, second] = [claimed(0, 1), claimed(20, 2)]
    const twice = history([discovered, first], { type: 'ExpireClaim', ...by(5), policy })
    const last = history([...twice, second], { type: 'ExpireClaim', ...by(25), policy })
    const third = given(...last, claimed(40, 3)).when(claim(50, 'worker-2'))
    expect(third.events.map(({ type }) => type)).toEqual(['ClaimExpired', 'IndexingFailed', 'FileParked'])
  })
})

describe('a holder that lives, and had lost the log alone', () => {
  const release = (fence: number) =>
    ({ type: 'ReleaseClaim', ...by(50), fence, reason: 'it ran out' }) as const
  const silent = history([discovered, claimed(0, 1)], { type: 'ExpireClaim', ...by(5), policy })

  it('takes back that it counted as a failure, once', () => {
    expect(given(...silent).state).toMatchObject({ status: 'failed', failures: 1 })
    const back = given(...silent).when(release(1))
    back.gives([{ type: 'ClaimReleased', data: { fence: 1, reason: 'it ran out' } }])
    expect(back.state).toMatchObject({ status: 'new', failures: 0, dueAt: t(20) })
    given(...silent, ...back.events)
      .when(release(1))
      .gives('fenced')
  })

  it('takes back its own alone, whoever holds the file by then', () => {
    const others = history(silent, claim(20, 'worker-2'), report(21, 2, failure), claim(40, 'worker-3'))
    expect(given(...others).state).toMatchObject({ failures: 2, lease: { fence: 3 } })
    expect(given(...others).when(release(1)).state).toMatchObject({
      status: 'failed',
      failures: 1,
      lease: { holder: 'worker-3', fence: 3 },
    })
    given(...others)
      .when(release(2))
      .gives('fenced')
  })

  it('takes nothing back of a file that was indexed, parked or reset since', () => {
    const later = history(silent, claim(20, 'worker-2'))
    for (const command of [
      report(21, 2, success),
      { type: 'Reset', ...by(21), reason: 'anew' } as const,
      { type: 'Park', ...by(21), reason: 'not now' } as const,
    ])
      given(...history(later, command))
        .when(release(1))
        .gives('fenced')
  })
})

describe('an outcome', () => {
  const held = [discovered, claimed(0, 1)]

  it('W14 of exactly one file is a success', () => {
    given(...held)
      .when(report(1, 1, success))
      .gives([indexed(1, 1)])
    expect(given(...held).when(report(1, 1, success)).state).toMatchObject({
      status: 'indexed',
      dueAt: null,
      hasLines: true,
    })
  })

  it.each([0, 2])('W14, W15 of %i files is a failure, whatever lines it brought', (files) => {
    expect(given(...held).when(report(1, 1, { ...success, files })).events).toMatchObject([
      { type: 'IndexingFailed', data: { failures: 1, code: 'count' } },
    ])
  })

  it('W16 of a failure counts one, and the file is due again after a pause', () => {
    given(...held)
      .when(report(1, 1, failure))
      .gives([
        {
          type: 'IndexingFailed',
          data: {
            failures: 1,
            code: 'truncated',
            reason: failure.reason,
            offset: 90,
            dueAt: t(16),
            at: t(1),
          },
        },
      ])
  })

  it('that comes too late, or twice, is refused by its fence', () => {
    const late = report(9, 1, success)
    given(...held, claimed(6, 2))
      .when(late)
      .gives('fenced')
    given(...held, indexed(1, 1))
      .when(late)
      .gives('fenced')
    given(discovered).when(late).gives('fenced')
  })

  it('under a claim that ran out a while ago holds, where nobody took the file since', () => {
    given(...held)
      .when(report(9, 1, success))
      .gives([indexed(9, 1)])
  })

  it('of a growing file is no failure: it is read when it has stood still', () => {
    const growing = { status: 'growing', size: 150, modifiedAt: t(1) } as const
    given(...held)
      .when(report(2, 1, growing))
      .gives([{ type: 'IndexingDeferred', data: { size: 150, modifiedAt: t(1), dueAt: t(11), at: t(2) } }])
    expect(given(...held).when(report(2, 1, growing)).state).toMatchObject({ failures: 0, status: 'new' })
  })

  it('of another job is refused', () => {
    given(...held)
      .when(report(1, 1, { status: 'compared', verdict: 'same', because: 'as read' }))
      .gives('wrong-job')
  })
})

describe('failures', () => {
  const fail = (times: number, outcome = failure as Parameters<typeof report>[2]) =>
    history(
      [discovered],
      ...Array.from({ length: times }, (_, i) => [claim(i * 20), report(i * 20 + 1, i + 1, outcome)]).flat(),
    )

  it('W8 are counted, and the last one allowed parks the file', () => {
    expect(given(...fail(2)).state).toMatchObject({ status: 'failed', failures: 2 })
    expect(given(...fail(3)).state).toMatchObject({ status: 'parked', failures: 3, dueAt: null })
    given(...fail(3))
      .when(claim(600))
      .gives('not-due')
  })

  it('W4 a file that is not there is never parked: it waits for its next sighting', () => {
    const again = [0, 20, 40, 60].flatMap((at, i) => [sight(at), claim(at), report(at + 1, i + 1, missing)])
    expect(given(...history([discovered], ...again)).state).toMatchObject({
      status: 'failed',
      failures: 4,
      isMissing: true,
    })
  })

  it('W20 a rescued file begins at zero, and is due at once', () => {
    const rescue = { type: 'Rescue', ...by(90), reason: 'the disk was mended' } as const
    given(...fail(3))
      .when(rescue)
      .gives([{ type: 'FileRescued', data: { reason: rescue.reason, dueAt: t(90) } }])
    expect(given(...history(fail(3), rescue)).state).toMatchObject({ status: 'new', failures: 0 })
    given(...fail(2))
      .when(rescue)
      .gives('not-parked')
    given().when(rescue).gives('unknown-file')
  })

  it('end with a success', () => {
    expect(given(...history(fail(2), claim(60), report(61, 3, success))).state).toMatchObject({
      status: 'indexed',
      failures: 0,
    })
  })
})

describe('a reset', () => {
  const reset = { type: 'Reset', ...by(9), reason: 'the reader is better now' } as const

  it('has any file indexed anew, and ends the claim on it', () => {
    for (const since of [[indexed(1, 1)], []]) {
      const anew = history([discovered, claimed(0, 1), ...since], reset)
      given(...anew)
        .when(report(9, 1, success))
        .gives('fenced')
      given(...anew)
        .when(claim(9))
        .gives([claimed(9, 2)])
    }
    const withdrawn = history([discovered], { type: 'Withdraw', ...by(1) }, reset)
    expect(given(...withdrawn).state).toMatchObject({ status: 'new', dueAt: t(9) })
  })

  it('is refused where nobody knows what or where the file is', () => {
    given().when(reset).gives('unknown-file')
    given(...history([], { type: 'Adopt', ...by(0) }))
      .when(reset)
      .gives('place-unknown')
    const unknown = history([], sight(0, place(), { file: { repository: 'main', name: 'a.bin' } }))
    given(...unknown)
      .when(reset)
      .gives('kind-unknown')
    expect(given(...unknown).when({ ...reset, kind: 'content' }).state).toMatchObject({
      kind: 'content',
      dueAt: t(9),
    })
  })
})

describe('parking', () => {
  const park = { type: 'Park', ...by(1), reason: 'to be looked at' } as const

  it('takes a file from the queue, and from who holds it', () => {
    const parked = history([discovered, claimed(0, 1)], park)
    given(...parked)
      .when(report(2, 1, success))
      .gives('fenced')
    given(...parked)
      .when(park)
      .gives([])
    given().when(park).gives('unknown-file')
    given(...history([discovered], { type: 'Withdraw', ...by(1) }))
      .when(park)
      .gives('withdrawn')
  })
})

describe('a salvage', () => {
  const salvage = { type: 'Salvage', ...by(20), reason: 'what is good of it' } as const
  const requested: IndexingEvent = {
    type: 'FileSalvageRequested',
    data: { reason: 'what is good of it', dueAt: t(20) },
  }
  const failed = history([discovered], claim(0), report(1, 1, failure))
  const asked = [...failed, requested]

  it('W20 is for a file that failed, or is parked: its count is zero, and it is due', () => {
    given(...failed)
      .when(salvage)
      .gives([requested])
    const parked = history(failed, { type: 'Park', ...by(10), reason: 'later' })
    given(...parked)
      .when(salvage)
      .gives([requested])
    expect(given(...asked).state).toMatchObject({ failures: 0, dueAt: t(20), salvages: true })
    given().when(salvage).gives('unknown-file')
    given(discovered).when(salvage).gives('not-failed')
    given(discovered, claimed(0, 1), indexed(1, 1)).when(salvage).gives('not-failed')
  })

  it('is the next job, also after an attempt that failed', () => {
    const again = history(asked, claim(20), report(21, 2, failure))
    for (const before of [asked, again]) {
      const claimed = decider.decide(claim(40), given(...before).state)
      expect(claimed).toMatchObject({ right: { result: { job: { kind: 'index', salvages: true } } } })
    }
  })

  it('says what is lost, where the file is not whole', () => {
    const held = history(asked, claim(20))
    const { events } = given(...held).when(report(21, 2, salvaged))
    expect(events).toMatchObject([{ type: 'FileIndexed', data: { loss: salvaged.loss } }])
    expect(given(...held, ...events).state).not.toHaveProperty('salvages')
    expect(given(...held).when(report(21, 2, success)).events[0]?.data).not.toHaveProperty('loss')
  })

  it('W15, W16 that nobody asked for is a failure', () => {
    given(...history([discovered], claim(0)))
      .when(report(1, 1, salvaged))
      .gives([expect.objectContaining({ type: 'IndexingFailed' })])
  })

  it.each([
    ['another size', [sight(21, place(200))]],
    [
      'a change while it is read',
      [claim(21), report(22, 2, { status: 'growing', size: 150, modifiedAt: t(21) })],
    ],
    ['another place', [claim(21), report(22, 2, missing), sight(23, elsewhere())]],
  ])('is over when the file has %s', (_, commands) => {
    expect(given(...history(asked, ...commands)).state).not.toHaveProperty('salvages')
  })
})
