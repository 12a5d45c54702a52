import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

it('a check that the budget alone keeps from all items says when it goes on, and of nothing else', async () => {
  const folder = join(fonds.folder, 'letters')
  mkdirSync(folder)
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), 'Dear Ada')
  expect(await fonds.run(['fixity', 'add', folder, '--bytes-per-day', '10B'])).toMatchObject({ code: 0 })
  const { code, err } = await fonds.run(['fixity', 'check'])
  expect(code).toBe(1)
  expect(err).toMatch(/of 2, 1 not checked yet: the byte budget of the day is used up/)
  expect(err).toMatch(/`fonds start`, or another check, goes on with them at \d{4}-\d\d-\d\dT00:00:00\.000Z/)
  expect(err).not.toContain('fixity-resolutions')
})
