import { expect, it } from 'vitest'
import { weeksOf } from '../../dashboard/src/pages/indexing/weeks.ts'

it('a month has each of its days once, under its weekday', () => {
  for (let year = 1996; year < 2030; year++)
    for (let month = 0; month < 12; month++) {
      const weeks = weeksOf(year, month)
      const days = weeks.flat().filter((date) => date !== undefined)
      expect(days).toEqual(days.map((_, i) => i + 1))
      expect(days).toHaveLength(new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
      for (const week of weeks)
        week.forEach((date, i) => {
          if (date !== undefined) expect(new Date(Date.UTC(year, month, date)).getUTCDay()).toBe((i + 1) % 7)
        })
    }
})
