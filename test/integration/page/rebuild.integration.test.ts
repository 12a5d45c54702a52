import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { limits } from '../../patience.ts'
import { barriersIn, browserIsAbsent, openTab, startDemo, useImage } from './browser.ts'

useImage()

/** A row goes wrong without an event, as by a bug or a hand in the file. */
const tamper = (home: string): void => {
  const db = new DatabaseSync(join(home, 'views.db'), { timeout: limits.timeout })
  const [table] = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'fixity-items\\_\\_%' ESCAPE '\\'",
    )
    .all()
  db.exec(`UPDATE "${table?.name}" SET size = 999 WHERE path = 'photographs/plate-004.dng'`)
  db.close()
}

const act = async (page: Page, verb: string): Promise<void> => {
  await page
    .getByRole('row', { name: /^fixity\s/ })
    .getByRole('button', { name: verb })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who you are').fill('ada')
  await dialog.getByLabel('Why').fill('a count looks wrong')
  const followed = page.waitForResponse((response) => response.url().endsWith('/api/v1/projections'))
  await dialog.getByRole('button', { name: verb }).click()
  await dialog.getByText('It is begun.').waitFor()
  // How far it is comes meanwhile; the dialog stays until it is closed.
  await followed
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  await dialog.getByRole('button', { name: 'Close' }).click()
}

describe.skipIf(browserIsAbsent)('views', () => {
  it('are proved from the page; what differs is told, and put right when a person says so', async () => {
    const { address, home } = await startDemo()
    const sizeOf = async (): Promise<unknown> => {
      const where = 'where=store%3Darchive&where=path%3Dphotographs%2Fplate-004.dng'
      const answer = await fetch(`${address}/api/v1/views/fixity-items?${where}`)
      return ((await answer.json()) as { rows: { size: unknown }[] }).rows[0]?.size
    }
    const size = await sizeOf()
    tamper(home)
    expect(await sizeOf()).toBe(999)
    const page = await openTab()
    await page.goto(`${address}/log/projections`)
    await act(page, 'Prove it')
    await page.getByText('rows differ from the log: the live views stay').waitFor()
    expect(await sizeOf()).toBe(999)
    await page.getByText('What differs').click()
    await page.getByText('fixity-items: 1 row, such as').waitFor()
    expect(await barriersIn(page)).toEqual([])

    await act(page, 'Put it right')
    await page.getByText('put right by the log').waitFor()
    expect(await sizeOf()).toBe(size)
    await act(page, 'Prove it')
    await page.getByText('equal row for row, and folded anew').waitFor()
  })
})
