import { describe, expect, it } from 'vitest'
import type { IndexingCommand } from '#src/domain/indexing/commands.ts'
import type { IndexingEvent } from '#src/domain/indexing/events.ts'
import { filesTopic } from '#src/domain/indexing/messages.ts'
import { type EmbargoWord, isEmbargoed } from '#src/domain/kernel/embargo.ts'
import { by, claim, claimed, discovered, file, given, history, indexed, place, sight, t } from './commands.ts'

const day = '2026-01-31'
const set = (until: string, minutes = 0): IndexingEvent => ({
  type: 'EmbargoSet',
  data: { until, at: t(minutes) },
})
const lifted: IndexingEvent = { type: 'EmbargoLifted', data: { at: t(9) } }
const sightUntil = (minutes: number, embargoUntil: EmbargoWord) => sight(minutes, place(), { embargoUntil })
const adoptUntil = (minutes: number, embargoUntil: EmbargoWord): IndexingCommand => ({
  type: 'Adopt',
  ...by(minutes),
  embargoUntil,
})
const wants = { actor: 'ada', reason: 'the donor wants it' }

describe('indexing C19 the word of who sights a file', () => {
  it('is in the log before the file is known', () => {
    given()
      .when(sightUntil(0, '2031-12-31'))
      .gives([set('2031-12-31'), discovered])
  })

  it('stands behind an adoption, for lines of the file are in the index', () => {
    const { events } = given().when(adoptUntil(0, '2031-12-31'))
    expect(events.map(({ type }) => type)).toEqual(['FileAdopted', 'EmbargoSet'])
  })

  it('holds until the next one, which may be none, and is no event where it says the same', () => {
    const known = [set('2031-12-31'), discovered]
    given(...known)
      .when(sight(9))
      .gives([])
    given(...known)
      .when(sightUntil(9, '2031-12-31'))
      .gives([])
    given(...known)
      .when(sightUntil(9, '2027-06-30'))
      .gives([set('2027-06-30', 9)])
    given(...known)
      .when(sightUntil(9, 'none'))
      .gives([lifted])
    given(...known, lifted)
      .when(sightUntil(9, 'none'))
      .gives([])
    given(discovered).when(sightUntil(9, 'none')).gives([])
    // A day that is over ends one that is not.
    given(...known)
      .when(sightUntil(9, '2020-01-01'))
      .gives([set('2020-01-01', 9)])
  })

  it('is taken of a file that is indexed, adopted or withdrawn', () => {
    const read = [discovered, claimed(1, 1), indexed(2, 1)]
    given(...read)
      .when(sightUntil(9, '2031-12-31'))
      .gives([set('2031-12-31', 9)])
    given(...read)
      .when(adoptUntil(9, '2031-12-31'))
      .gives([set('2031-12-31', 9)])
    const away = history(read, { type: 'Withdraw', ...by(3) })
    given(...away)
      .when(sightUntil(9, '2031-12-31'))
      .gives([set('2031-12-31', 9)])
  })

  it('outlives all that becomes of the file', () => {
    const events = history(
      [],
      sightUntil(0, '2031-12-31'),
      claim(1),
      { type: 'Withdraw', ...by(3) },
      { type: 'Reset', ...by(4), reason: 'back' },
      { type: 'Adopt', ...by(5) },
    )
    expect(given(...events).state.embargoUntil).toBe('2031-12-31')
  })
})

describe('indexing C19 the word of a person', () => {
  const setUntil = (until: string) => ({ type: 'SetEmbargo', file, at: t(9), until, ...wants }) as const
  const lift = { type: 'LiftEmbargo', file, at: t(9), ...wants } as const

  it('sets an embargo, moves it and lifts it', () => {
    const reason = wants.reason
    given(discovered)
      .when(setUntil('2031-12-31'))
      .gives([{ type: 'EmbargoSet', data: { until: '2031-12-31', reason, at: t(9) } }])
    given(discovered, set('2031-12-31')).when(setUntil('2031-12-31')).gives([])
    given(discovered, set('2031-12-31'))
      .when(lift)
      .gives([{ type: 'EmbargoLifted', data: { reason, at: t(9) } }])
  })

  it('is refused of an unknown file, with a day that is over, and where nothing is to be lifted', () => {
    given().when(setUntil('2031-12-31')).gives('unknown-file')
    given().when(lift).gives('unknown-file')
    given(discovered).when(setUntil('2026-01-30')).gives('day-over')
    given(discovered).when(lift).gives('no-embargo')
    given(discovered, set('2026-01-30')).when(lift).gives('no-embargo')
    given(discovered)
      .when(setUntil(day))
      .gives([{ type: 'EmbargoSet', data: { until: day, reason: wants.reason, at: t(9) } }])
  })
})

it('indexing C19 the last day is a part of the embargo, in UTC', () => {
  expect(isEmbargoed(day, '2026-01-31T23:59:59.999Z')).toBe(true)
  expect(isEmbargoed(day, '2026-02-01T00:00:00.000Z')).toBe(false)
  expect(isEmbargoed(undefined, '2026-02-01T00:00:00.000Z')).toBe(false)
})

it('indexing C19 a message names a day of the calendar, or none', () => {
  const [sighted] = filesTopic.messages
  const taken = (embargoUntil: unknown) =>
    sighted.codec.is({ ...file, location: '/srv/a.warc.gz', embargoUntil })
  expect(['2028-02-29', 'none', undefined].map(taken)).toEqual([true, true, true])
  expect(['2027-02-29', '2026', '2026-1-1', '', 'never', '2026-01-31T00:00:00Z'].map(taken)).toEqual(
    Array(6).fill(false),
  )
})
