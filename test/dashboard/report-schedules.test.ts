import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressesIn,
  endOf,
  periods,
  type Schedule,
  schedulesIn,
  scheduleText,
  settingOf,
  whyNoSchedule,
} from '../../dashboard/src/pages/fixity/report-schedules.ts'
import * as server from '../../src/domain/kernel/report-schedule.ts'
import { runs } from '../runs.ts'

const address = fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/)
const schedule: fc.Arbitrary<Schedule> = fc.record({
  period: fc.constantFrom(...periods),
  to: fc.array(address, { minLength: 1, maxLength: 3 }),
  store: fc.stringMatching(/^[a-z]{0,6}$/),
  isAlways: fc.boolean(),
})

describe('schedules of reports', () => {
  it('are written so that the page and the server read the same', () => {
    fc.assert(
      fc.property(fc.array(schedule, { minLength: 1, maxLength: 4 }), (schedules) => {
        const text = settingOf(schedules)
        expect(schedulesIn(text)).toEqual(schedules)
        expect(
          server.parseReports(text)?.map(({ period, to, store = '', isAlways }) => ({
            ...{ period, to, store, isAlways },
          })),
        ).toEqual(schedules)
      }),
      { numRuns: runs(200) },
    )
    expect(schedulesIn('')).toEqual([])
  })

  it('are read as the server writes them, with references in the place of addresses', () => {
    const [one] = server.parseReports('weekly to=person#1f,ada@a.example store=main when=wrong') ?? []
    expect(schedulesIn(one?.text ?? '').map(scheduleText)).toEqual([
      'weekly to=person#1f,ada@a.example store=main when=wrong',
    ])
  })

  it('end with their periods, as the server counts them', () => {
    const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.constantFrom(...periods), instant, (period, now) => {
        const beginning = server.beginningOf(period, now.toISOString())
        expect(endOf(period, now).toISOString()).toBe(server.endOf(period, beginning))
      }),
      { numRuns: runs(300) },
    )
  })

  it.each([
    [[], '', /^To whom: give one/],
    [['ada'], '', /^To whom: ada is no mail address/],
    [['ada@a.example'], 'the vault', /^Store/],
  ])('to %o of store %o is none, and the field is named', (to, store, why) => {
    expect(whyNoSchedule({ period: 'daily', to, store, isAlways: true })).toMatch(why)
  })

  it('take addresses with commas or spaces between', () => {
    expect(addressesIn(' ada@a.example,bob@b.example  eve@e.example;')).toEqual([
      ...['ada@a.example', 'bob@b.example', 'eve@e.example'],
    ])
  })
})
