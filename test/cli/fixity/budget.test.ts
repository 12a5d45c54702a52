import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { estimateCheck, estimateLines } from '#src/cli/fixity/estimate.ts'
import { byteAmount } from '#src/cli/numbers.ts'
import { nextDay } from '#src/domain/fixity/store/budget.ts'
import { period } from '#src/projections/fixity/questions/period-question.ts'
import { report } from '#src/projections/fixity/questions/report-question.ts'
import { fixityChecks } from '#src/workflows/fixity/checks.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

const by = { actor: 'ada', reason: 'test' }
const signal = new AbortController().signal
const check = (system: System, wait = false) => checkNow(system, {}, { actor: 'ada', wait, signal }, () => {})
const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, `${name}234`]))

const budgeted = async () => {
  const system = await testSystem()
  const root = await folderOf(files)
  await addFolder(system, root, { store: 'main', actor: 'ada', bytesPerDay: 10 }, () => {}, signal)
  return { system, root }
}

describe('a check of a store with a byte budget', () => {
  it('reads so much of it in a day, and tells what waits, why, and until when', async () => {
    const { system } = await budgeted()
    const goesOnAt = nextDay(system.clock.now())
    const summary = await check(system)
    expect(summary).toMatchObject({
      total: 4,
      checked: 2,
      baselined: 2,
      failed: 0,
      waiting: 0,
      heldBack: [{ store: 'main', items: 2, bytesPerDay: 10, bytesRead: 8, goesOnAt }],
    })
    expect(checkSentences(summary).join('\n')).toContain(
      `2 items of store main not checked yet: its byte budget is 10 B a day of UTC, and 8 B of it are read today; the checks go on at ${goesOnAt}`,
    )
    expect(checkSentences(summary).join('\n')).not.toContain('differ from their record')
    const now = system.clock.now()
    const answer = report.ask(system.viewStore, {}, { now } as never)
    expect(answer).toMatchObject({
      right: { stores: [{ budget: { bytesPerDay: 10, bytesRead: 8, waiting: 2, goesOnAt } }] },
    })
    expect(await fixityChecks(system as never)).toContainEqual(
      expect.objectContaining({ check: 'budget', says: expect.stringContaining(`go on at ${goesOnAt}`) }),
    )
  })

  it('is estimated by what is left of the day, and counted by its days', async () => {
    const { system } = await budgeted()
    const days = () => estimateCheck(system, {})[0]?.budget
    expect(days()).toEqual({ bytesPerDay: 10, bytesLeft: 10, days: 2 })
    await check(system)
    expect(days()).toEqual({ bytesPerDay: 10, bytesLeft: 2, days: 3 })
    expect(estimateLines(estimateCheck(system, {})).join()).toContain(
      'by its budget of 10 B a day of UTC at least 3 days, 2 B of it today',
    )
    const now = system.clock.now()
    const read = (asked: object) =>
      period.ask(system.viewStore, { since: '1d', ...asked } as never, { now } as never)
    expect(read({})).toMatchObject({ right: { reads: [{ store: 'main', checks: 2, bytes: 8 }] } })
    expect(read({ prefix: 'a' })).toMatchObject({ right: { reads: [] } })
    expect(read({ since: '3d', until: '2d' })).toMatchObject({ right: { reads: [] } })
  })

  it('reads all of it once the budget is taken away', async () => {
    const { system } = await budgeted()
    await check(system)
    await askCommand(system, 'fixity.change-policy', { store: 'main', bytesPerDay: 'unlimited' }, by)
    expect(await check(system)).toMatchObject({ checked: 4, heldBack: [] })
  })

  it('reads no new file to tell whether it was moved, and says so', async () => {
    const { system, root } = await budgeted()
    await rename(join(root, 'a'), join(root, 'z'))
    expect((await check(system)).notes).toContainEqual(
      expect.objectContaining({ note: expect.stringContaining('byte budget') }),
    )
  })
})

describe('an amount of bytes', () => {
  it.each([
    ['500GB', 500e9],
    ['1.5 TiB', 1.5 * 1024 ** 4],
    ['1000', 1000],
    ['10kb', 10_000],
  ])('%s', (text, bytes) => {
    expect(byteAmount(text)).toBe(bytes)
  })
  it.each(['', 'GB', '0', '-1', '5 apples', '1e9', '9999999PB'])('not %j', (text) => {
    expect(() => byteAmount(text)).toThrow('amount of bytes')
  })
})
