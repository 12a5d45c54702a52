import { describe, it } from 'vitest'
import { type BatchCommand, batchDecider } from '#src/domain/fixity/batch/decide.ts'
import type { BatchEvent, IntactGroup } from '#src/domain/fixity/batch/events.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import { specify } from '../../../given.ts'
import { start } from '../commands.ts'

const given = specify(batchDecider)

const items = [
  { path: 'a', revision: 0 },
  { path: 'b', revision: 3 },
]
const deadline = addMillis(start, 60_000)
const by = (at = start) => ({ actor: 'w', at })
const claim = (more: object = {}): BatchCommand => ({
  type: 'ClaimBatch',
  ...by(),
  store: 'main',
  items,
  holder: 'w',
  deadline,
  millis: 60_000,
  ...more,
})
const claimed: BatchEvent = {
  type: 'BatchClaimed',
  data: { store: 'main', items, holder: 'w', fence: 1, deadline, millis: 60_000 },
}
const found = (path: string, revision: number): IntactGroup => ({
  pattern: 'A?AA',
  row: 'clause 6',
  because: 'The bytes are as recorded.',
  items: [
    {
      path,
      revision,
      size: 1,
      checksums: { 'sha-256': 'a'.repeat(64) },
      version: 'v1',
      modifiedAt: start,
      observedAt: start,
      dueAt: addMillis(start, 1),
    },
  ],
})
const report = (intact: readonly IntactGroup[] = [found('a', 0)], others = 1): BatchCommand => ({
  type: 'ReportBatch',
  ...by(),
  worker: 'w',
  intact,
  others,
})
const checked: BatchEvent = {
  type: 'BatchChecked',
  data: { store: 'main', worker: 'w', intact: [found('a', 0)], others: 1 },
}
const late = addMillis(deadline, 1)
const expired: BatchEvent = {
  type: 'BatchExpired',
  data: {
    store: 'main',
    items,
    error: `w was not heard of again; its claim ran out at ${deadline}`,
    at: late,
    isSettledApart: true,
  },
}

describe('a batch', () => {
  it('is claimed once', () => {
    given().when(claim()).gives([claimed])
    given(claimed).when(claim()).gives('held')
    given(claimed, checked).when(claim()).gives('held')
  })

  it('is extended by its holder, as long as it has it', () => {
    const later = addMillis(deadline, 30_000)
    const extend = { type: 'ExtendClaim', ...by(), fence: 1, deadline: later } as const
    given(claimed)
      .when(extend)
      .gives([{ type: 'BatchExtended', data: { fence: 1, deadline: later } }])
    given(claimed)
      .when({ ...extend, fence: 2 })
      .gives('fenced')
    given(claimed)
      .when({ ...extend, at: late })
      .gives('fenced')
    given().when(extend).gives('unknown-batch')
  })

  it('ends with its report', () => {
    given(claimed).when(report()).gives([checked])
    given(claimed, checked).when(report()).gives('fenced')
  })

  it('that was released takes no report', () => {
    const released: BatchEvent = { type: 'BatchReleased', data: { reason: 'stopping' } }
    given(claimed)
      .when({ type: 'ReleaseClaim', ...by(), fence: 1, reason: 'stopping' })
      .gives([released])
    given(claimed, released).when(report()).gives('fenced')
  })

  it('takes a report that is late, as long as nobody has said that it is over', () => {
    given(claimed)
      .when({ ...report(), at: late })
      .gives([checked])
    given(claimed, expired).when(report()).gives('fenced')
  })

  it('takes entries of items that were claimed alone, at the revision that was claimed', () => {
    given(claimed)
      .when(report([found('c', 0)]))
      .gives('not-in-batch')
    given(claimed)
      .when(report([found('b', 4)]))
      .gives('not-in-batch')
  })
})

describe('expiry', () => {
  const expire = { type: 'ExpireClaim', ...by(late) } as const

  it('comes when the deadline has passed, once', () => {
    given(claimed).when(expire).gives([expired])
    given(claimed)
      .when({ ...expire, at: start })
      .gives([])
    given(claimed, expired).when(expire).gives([])
    given(claimed, checked).when(expire).gives([])
  })

  it('is settled once the failed attempts of its items are written', () => {
    const settle = { type: 'SettleBatch', ...by(late) } as const
    const settled: BatchEvent = { type: 'BatchSettled', data: { at: late } }
    given(claimed, expired).when(settle).gives([settled])
    given(claimed, expired, settled).when(settle).gives([])
    given(claimed, expired, settled).when(report()).gives('fenced')
    given(claimed).when(settle).gives([])
    // An expiry of before: its items were free at once.
    const { isSettledApart: _, ...data } = expired.data as Extract<
      BatchEvent,
      { type: 'BatchExpired' }
    >['data']
    given(claimed, { type: 'BatchExpired', data }).when(settle).gives([])
  })

  it('comes before, where the holder was silent for as long as it may be', () => {
    const silence = { fence: 1, deadline, millis: 60_000 }
    const silent = { ...expire, at: start, silence }
    given(claimed)
      .when(silent)
      .gives([
        {
          type: 'BatchExpired',
          data: { ...expired.data, error: 'w was not heard of again; its claim ran out', at: start },
        } as BatchEvent,
      ])
    given(claimed)
      .when({ ...silent, silence: { ...silence, millis: 59_999 } })
      .gives([])
  })
})
