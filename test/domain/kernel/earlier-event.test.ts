import { describe, it } from 'vitest'
import {
  type EarlierEvent,
  type EarlierEventImported,
  earlierDecider,
  earlierEvents,
} from '#src/domain/kernel/earlier-event.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-earlier-events.json' with { type: 'json' }

testStored('events of earlier systems', earlierEvents, stored)

const given = specify(earlierDecider)
const at = '2026-11-30T12:00:00.000Z'
const check: EarlierEvent = {
  source: 'old',
  identifier: { type: 'UUID', value: 'e1' },
  type: 'fixity check',
  dateTime: '2015-07',
  outcomes: [{ outcome: 'Pass' }],
  agents: [],
  objects: [],
}
const imported = (event: EarlierEvent): EarlierEventImported => ({
  type: 'EarlierEventImported',
  data: { ...event, reason: 'we moved', at },
})
const importing = (event: EarlierEvent, reason = 'we moved') =>
  ({ type: 'Import', event, actor: 'ada', reason, at }) as const

describe('an event of an earlier system', () => {
  it('is imported as it was told, with the reason and the time of the import', () => {
    given()
      .when(importing(check))
      .gives([imported(check)])
  })

  it('is imported once, whatever the reason is the second time, and in whichever order its fields come', () => {
    const { source, identifier, ...rest } = check
    given(imported(check))
      .when(importing({ ...rest, identifier, source }, 'again'))
      .gives([])
  })

  it('with the same identifier from another source, or of another type, is another one', () => {
    for (const other of [
      { ...check, source: 'older' },
      { ...check, identifier: { type: 'local', value: 'e1' } },
    ])
      given(imported(check))
        .when(importing(other))
        .gives([imported(other)])
  })

  it.each([
    ['another time', { dateTime: '2016' }],
    ['another outcome', { outcomes: [{ outcome: 'Fail' }] }],
    ['one more field', { detail: 'more' }],
  ])('with the same identifier and %s is refused: it would change what was told', (_, changed) => {
    given(imported(check))
      .when(importing({ ...check, ...changed }))
      .gives('other-content')
  })
})
