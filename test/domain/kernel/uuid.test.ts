import { v4, v5, v7 } from 'uuid'
import { expect, it } from 'vitest'
import { isUuid } from '#src/domain/kernel/uuid.ts'

it('takes UUIDs of any version in either case, and nothing around them', () => {
  for (const one of [v4(), v7(), v5('a', v5.URL)]) {
    expect(isUuid(one)).toBe(true)
    expect(isUuid(one.toUpperCase())).toBe(true)
    for (const other of [one.slice(1), `${one}0`, `${one}\n`, one.replaceAll('-', ''), `{${one}}`, 'bag', ''])
      expect(isUuid(other)).toBe(false)
  }
})
