import { describe, expect, it } from 'vitest'
import { by, claimed, given, history, only, policy, recorded, t } from './commands.ts'
import { digest, md5, sha256 } from './witnesses.ts'

const record = (letter: string, minutes: number) =>
  ({ type: 'RecordContent', ...by(minutes), checksums: [sha256(letter)], recordedFrom: 'manifest' }) as const
const remove = (minutes: number) => ({ type: 'RemoveContent', ...by(minutes), policy }) as const
const index = (letter: string, minutes: number) =>
  ({ type: 'RecordIndex', ...by(minutes), checksums: [sha256(letter)] }) as const

describe('the word of the audit log', () => {
  it('makes new content due at once', () => {
    given()
      .when({ ...record('A', 0), size: 3, version: 'v1' })
      .gives([
        {
          type: 'ContentRecorded',
          data: {
            checksums: [sha256('A')],
            size: 3,
            version: 'v1',
            recordedFrom: 'manifest',
            at: t(0),
            dueAt: t(0),
          },
        },
      ])
  })

  it('said again is no news, in whatever order and notation', () => {
    given(recorded('A')).when(record('A', 5)).gives([])
    const both = history([], { ...record('A', 0), checksums: [sha256('A'), md5('B')] })
    const again = [md5('B'), { algorithm: 'sha-256', value: digest('A').toUpperCase() }]
    given(...both)
      .when({ ...record('A', 5), checksums: again })
      .gives([])
  })

  it.each([
    ['other checksums', record('B', 5)],
    ['another size', { ...record('A', 5), size: 4 }],
    ['another version', { ...record('A', 5), version: 'v2' }],
  ])('with %s is due at once in a fresh run', (_, command) => {
    const failing = history([recorded('A')], {
      type: 'Observe',
      ...by(1),
      content: { status: 'failed', error: 'timeout' },
      storage: { status: 'missing' },
      index: { status: 'absent' },
      observedAt: t(1),
      policy,
    })
    const { state } = given(...failing).when(command)
    expect(state).toMatchObject({ run: 2, failures: 0, dueAt: t(5) })
  })

  it('revives a parked item when it says something new', () => {
    const parked = given(recorded('A'), {
      type: 'CheckParked',
      data: { run: 1, error: 'timeout', at: t(1) },
    })
    expect(parked.state).toMatchObject({ parked: true, dueAt: null })
    expect(parked.when(record('B', 2)).state).toMatchObject({ parked: false, dueAt: t(2) })
  })

  it('on a removal has the item looked at once the deletion has had time', () => {
    given(recorded('A'))
      .when({ ...remove(1), reason: 'withdrawn' })
      .gives([{ type: 'ContentRemoved', data: { at: t(1), dueAt: t(6), reason: 'withdrawn' } }])
    given(...history([recorded('A')], remove(1)))
      .when(remove(9))
      .gives([])
  })

  it('may bring removed content back', () => {
    const removed = history([recorded('A')], remove(1))
    expect(only(given(...removed).when(record('A', 2)).events, 'ContentRecorded').dueAt).toBe(t(2))
  })
})

describe('the word of an outside index', () => {
  it('is kept, once', () => {
    given(recorded('A'))
      .when(index('B', 1))
      .gives([{ type: 'IndexRecorded', data: { checksums: [sha256('B')], at: t(1) } }])
    given(...history([recorded('A')], index('B', 1)))
      .when(index('B', 2))
      .gives([])
  })

  it('on a dropped entry is kept, once', () => {
    const drop = { type: 'RemoveIndex', ...by(2) } as const
    given(recorded('A'))
      .when(drop)
      .gives([{ type: 'IndexRemoved', data: { at: t(2) } }])
    given(...history([recorded('A')], drop))
      .when(drop)
      .gives([])
  })

  it('changes neither the due time nor the claim', () => {
    const before = given(recorded('A'), claimed(0, 1))
    expect(before.when(index('B', 1)).state).toMatchObject({ dueAt: t(0), lease: { fence: 1 } })
  })

  it('makes the item known', () => {
    const spoken = history([], index('A', 0))
    const request = { type: 'RequestCheck', ...by(1), queue: 'low', reason: 'new' } as const
    given().when(request).gives('unknown-item')
    expect(only(given(...spoken).when(request).events, 'CheckRequested').dueAt).toBe(t(1))
  })
})
