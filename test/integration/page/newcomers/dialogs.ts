import type { Page } from 'playwright-core'

/**
 * Fills who (unless somebody signed in) and why into the open dialog, gives its command by the button of this name, and closes it once it
 * is done.
 */
export const giveReason = async (page: Page, button: string, why: string): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why').waitFor()
  const who = dialog.getByLabel('Who you are')
  if ((await who.count()) > 0) await who.fill('ada')
  await dialog.getByLabel('Why').fill(why)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.getByText(/Done\.|done\.|It is begun\./).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
}

/** Sets the setting whose page is open, and waits until the page shows the value as the log's. */
export const setFrom = async (page: Page, setting: string, value: string): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: setting }).waitFor()
  await page.getByLabel('Value').fill(value)
  await page.getByRole('button', { name: 'Set it' }).click()
  await giveReason(page, 'Set it', 'the new machine')
  await page.getByText('Take it out of the log').waitFor()
}
