import type { Page } from 'playwright-core'

/** Fills who and why into the open dialog, gives its command by the button of this name, and closes it once it is done. */
export const giveReason = async (page: Page, button: string, why: string): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who you are').fill('ada')
  await dialog.getByLabel('Why').fill(why)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.getByText(/Done\.|done\./).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
}
