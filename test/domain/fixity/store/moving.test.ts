import { describe, expect, it, test } from 'vitest'
import type { ContentObservation } from '#src/domain/fixity/messages.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, type StoreEvent } from '#src/domain/fixity/store/events.ts'
import { proofOfMove } from '#src/domain/fixity/store/moving.ts'
import { noSightings } from '#src/domain/fixity/store/sightings.ts'
import { specify } from '../../../given.ts'

const sha = (digit: string) => ({ algorithm: 'sha-256', value: digit.repeat(64) })
const read = (digit: string, size = 3): ContentObservation => ({
  status: 'read',
  size,
  checksums: [sha(digit)],
})
const missing = { status: 'missing' } as const
const failed = { status: 'failed', error: 'input/output error' } as const
const nothing = { checksums: [] }
const recorded = { checksums: [sha('a')] }

describe('an item of a store that moves', () => {
  test.each([
    ['the same bytes, whatever is recorded', recorded, read('b'), read('b'), 'same'],
    ['the same bytes, of which nothing is recorded', nothing, read('b'), read('b'), 'same'],
    ['damaged where it is, as recorded where it goes', recorded, read('b'), read('a'), 'byRecord'],
    ['missing where it is, as recorded where it goes', recorded, missing, read('a'), 'byRecord'],
    ['unreadable where it is, as recorded where it goes', recorded, failed, read('a'), 'byRecord'],
    ['missing at both', recorded, missing, missing, 'inNeither'],
  ] as const)('is proven: %s', (_, record, before, after, kind) => {
    expect(proofOfMove({ recorded: record, before, after })).toEqual({ kind })
  })

  test.each([
    ['other bytes', recorded, read('a'), read('b'), /other bytes/],
    ['other bytes, both not as recorded', recorded, read('b'), read('c'), /other bytes/],
    ['other bytes, of which nothing is recorded', nothing, read('a'), read('b'), /other bytes/],
    ['another size', nothing, read('a', 3), read('a', 4), /other bytes/],
    ['not there', recorded, read('a'), missing, /is not at the new root/],
    ['not there, and unreadable where it is', recorded, failed, missing, /is not at the new root/],
    ['unreadable there', recorded, read('a'), failed, /new root: input\/output error/],
    ['changing there', recorded, read('a'), { status: 'changing' }, /it is changing/],
    ['there alone, and not as recorded', recorded, missing, read('b'), /not as recorded .* present one$/],
    [
      'there alone, and never recorded',
      nothing,
      failed,
      read('b'),
      /cannot be compared .*input\/output error/,
    ],
  ] as const)('is not proven: %s', (_, record, before, after, why) => {
    const proof = proofOfMove({ recorded: record, before, after: after as ContentObservation })
    expect(proof).toEqual({ kind: 'none', why: expect.stringMatching(why) })
  })
})

const given = specify(storeDecider)
const at = '2026-01-31T12:00:00.000Z'
const proof = { same: 2, byRecord: 0, inNeither: 0, bytes: 6 }
const registered: StoreEvent = {
  type: 'StoreRegistered',
  data: { kind: 'folder', root: '/archive', policy: defaultPolicy, at },
}
const data = { from: '/archive', root: 's3://archive/main', proof, reason: 'the disk is full', at }
const moved: StoreEvent = { type: 'StoreMoved', data }
const moveIt = { type: 'MoveStore', store: 'main', actor: 'ada', ...data } as const

describe('moving a store', () => {
  it('gives it another root, keeps its policy, and forgets who found it at the old one', () => {
    given(registered).when(moveIt).gives([moved])
    const away: StoreEvent = { type: 'StoreAway', data: { place: 'worker-7', why: 'empty', at } }
    expect(given(registered, away, moved).state).toEqual({
      kind: 'folder',
      root: 's3://archive/main',
      policy: defaultPolicy,
      sightings: noSightings,
    })
  })

  it('to where it is does nothing', () => {
    given(registered, moved).when(moveIt).gives([])
  })

  it('is refused where the proof is of another root than its own', () => {
    given(registered, moved)
      .when({ ...moveIt, root: '/mirror' })
      .gives('moved-meanwhile')
  })

  it('is refused for what is no root, an external store and an unknown one', () => {
    given(registered)
      .when({ ...moveIt, root: 'mirror' })
      .gives('root-missing')
    given({ type: 'StoreRegistered', data: { kind: 'external', policy: defaultPolicy, at } })
      .when(moveIt)
      .gives('external-store')
    given().when(moveIt).gives('unknown-store')
  })
})
