import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSpentIds } from '#infra/identity/spent-ids.ts'
import { fakeClock } from '../../fakes/clock.ts'

const opened = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-spent-'))
  const clock = fakeClock('2026-11-30T06:00:00.000Z')
  const file = join(folder, 'sign-in.db')
  const open = () => {
    const ids = openSpentIds(file, clock)
    onTestFinished(() => ids.close())
    return ids
  }
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { clock, file, open }
}

it('an id counts once, in all processes of a home', () => {
  const { open, file } = opened()
  const [one, other] = [open(), open()]
  expect(other.isSpent('a')).toBe(false)
  expect(existsSync(file)).toBe(false)
  expect(one.spend('a', '2026-11-30T07:00:00.000Z')).toBe(true)
  expect(one.spend('a', '2026-11-30T07:00:00.000Z')).toBe(false)
  expect(other.isSpent('a')).toBe(true)
  expect(other.isSpent('b')).toBe(false)
})

it('an id is forgotten after its time', async () => {
  const { open, clock } = opened()
  const ids = open()
  ids.spend('a', '2026-11-30T06:10:00.000Z')
  await clock.advance(600_001)
  ids.spend('b', '2026-11-30T07:00:00.000Z')
  expect([ids.isSpent('a'), ids.isSpent('b')]).toEqual([false, true])
})
