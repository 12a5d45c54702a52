import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { by, claimed, given, history, observe, only, recorded, t, typesOf } from './commands.ts'
import { md5, sha256 } from './witnesses.ts'

const sour = history([recorded()], observe('BAAA', 1))
const resolution = 'main/letters/1912/03.tif#1'
const close = (how: 'repaired' | 'lost' | 'accepted' | 'false-alarm') =>
  ({ type: 'CloseResolution', ...by(9), resolution, how, reason: 'copied back' }) as const
const accept = { type: 'AcceptContent', ...by(9), reason: 'rescanned on purpose' } as const

describe('closing a finding', () => {
  it('has the item checked now, to verify it', () => {
    const { events, state } = given(...sour).when(close('repaired'))
    expect(typesOf(events)).toEqual(['ResolutionClosed', 'CheckRequested'])
    expect(only(events, 'ResolutionClosed')).toEqual({
      resolution,
      how: 'repaired',
      reason: 'copied back',
      at: t(9),
    })
    expect(state).toMatchObject({ dueAt: t(9), queue: 'high', open: [] })
  })

  it('as lost leaves nothing to verify', () => {
    const { events, state } = given(...sour).when(close('lost'))
    expect(typesOf(events)).toEqual(['ResolutionClosed'])
    expect(state.dueAt).toBe(given(...sour).state.dueAt)
  })

  it('of a parked item leaves it parked: that it can be read again is another decision', () => {
    const parked: FixityEvent = { type: 'CheckParked', data: { run: 2, error: 'timeout', at: t(8) } }
    const { events, state } = given(...sour, parked).when(close('repaired'))
    expect(typesOf(events)).toEqual(['ResolutionClosed'])
    expect(state).toMatchObject({ parked: true, dueAt: null })
  })

  it('opens it again when the next check finds the same', () => {
    const closed = history(sour, close('false-alarm'))
    expect(only(given(...closed).when(observe('BAAA', 10)).events, 'ResolutionOpened').resolution).toBe(
      'main/letters/1912/03.tif#2',
    )
  })

  it('is refused where it is not open, and says which are', () => {
    const { result } = given(...sour).when({ ...close('repaired'), resolution: 'other#1' })
    expect(result).toMatchObject({ left: { code: 'unknown-resolution' } })
    expect(JSON.stringify(result)).toContain(resolution)
    given(...history(sour, close('lost')))
      .when(close('lost'))
      .gives('unknown-resolution')
    given().when(close('lost')).gives('unknown-item')
  })
})

describe('accepting what was read', () => {
  it("makes it the audit log's word and closes what is open", () => {
    const { events, state } = given(...sour).when(accept)
    expect(events).toEqual([
      {
        type: 'ContentRecorded',
        data: {
          checksums: [sha256('B'), md5('B')],
          size: 3,
          recordedFrom: 'accepted by ada',
          at: t(9),
          dueAt: t(9),
        },
      },
      {
        type: 'ResolutionClosed',
        data: { resolution, how: 'accepted', reason: 'rescanned on purpose', at: t(9) },
      },
    ])
    expect(state).toMatchObject({ open: [], dueAt: t(9), audit: { source: 'accepted by ada' } })
  })

  it('needs bytes that were read when it was last looked at', () => {
    given(recorded()).when(accept).gives('nothing-to-accept')
    given(...history([recorded()], observe('nBBA', 1)))
      .when(accept)
      .gives('nothing-to-accept')
    given(...history(sour, observe('--AA', 2)))
      .when(accept)
      .gives('nothing-to-accept')
    given(...history([recorded()], observe('?AAA', 1)))
      .when(accept)
      .gives('nothing-to-accept')
    given().when(accept).gives('unknown-item')
  })

  it('lets a reading that is under way go on', () => {
    expect(given(...sour, claimed(8, 1)).when(accept).state.lease).toMatchObject({ fence: 1 })
  })
})
