import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../infra/local/kafka/free-port.ts'
import { ada, client, startProvider } from '../../../api/sign-in/provider.ts'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { ask } from '../../../e2e/run-here.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason, setFrom } from './dialogs.ts'

useImage()

/* An administrator, by the page: signed in at a provider, on a home in which nothing was ever done. */

const start = async (home: string) => {
  const port = await freePort()
  const publicUrl = `http://fonds.localhost:${port}`
  const provider = await startProvider({ publicUrl, hasButton: true })
  provider.signInAs({ ...ada, groups: ['keepers'] })
  const env = {
    FONDS_PUBLIC_URL: publicUrl,
    FONDS_OIDC_ISSUER: provider.issuer,
    FONDS_OIDC_CLIENT_ID: client.id,
    FONDS_OIDC_CLIENT_SECRET: client.secret,
    FONDS_SIGN_IN_ADMINISTER: 'keepers',
  }
  await startNode({ home, env }, String(port))
  return publicUrl
}

const settingAt = async (page: Page, address: string, setting: string) => {
  await page.goto(`${address}/log/settings`)
  await page.getByRole('link', { name: setting, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: setting }).waitFor()
}

describe.skipIf(browserIsAbsent)('an administrator, on the page', () => {
  it('signs in, sets what is needed, proves the views, and learns what is not well', async () => {
    const { folder, home } = useFolder()
    const address = await start(home)
    const page = await openTab()

    // An empty home, after signing in: what can be done first, in one's own name.
    await page.goto(address)
    await page.getByRole('link', { name: /^Sign in at/ }).click()
    await page.getByRole('button', { name: 'Let me in' }).click()
    await page.getByRole('heading', { name: 'What can be done first' }).waitFor()
    await page.locator('.rail footer').getByText('Ada Example may administer.').waitFor()

    // What is not well, with what to do: nobody made a copy, and nothing encrypts sessions.
    await page.getByRole('link', { name: 'System' }).click()
    await page.getByRole('link', { name: 'Checks' }).click()
    const wrong = page.getByRole('region', { name: 'What to look at' })
    await wrong.getByText('none by fonds backup is known').waitFor()
    expect(await wrong.textContent()).toMatch(/sign-in.*without TLS.*put a proxy with TLS in front/s)
    expect(await barriersIn(page)).toEqual([])

    // Mail: a value that cannot be is refused with what is wanted, and typed again.
    await settingAt(page, address, 'mailServer')
    await page.getByLabel('Value').fill('mail.archive.example')
    await page.getByRole('button', { name: 'Set it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why').fill('the new machine')
    await dialog.getByRole('button', { name: 'Set it' }).click()
    await dialog.getByText(/mailServer: wants mail server \(smtp:/).waitFor()
    await dialog.getByRole('button', { name: 'Leave it' }).click()
    await setFrom(page, 'mailServer', 'smtp://mail.archive.example:25')
    await settingAt(page, address, 'mailFrom')
    await setFrom(page, 'mailFrom', 'fonds@archive.example')

    // Notices and storage: people stand with their addresses, a change that waits for a start says so, by whom it was set.
    await settingAt(page, address, 'noticesMail')
    await setFrom(page, 'noticesMail', 'desk@archive.example')
    await page.getByText('desk@archive.example').first().waitFor()
    await settingAt(page, address, 'ingestStorage')
    await setFrom(page, 'ingestStorage', join(folder, 'storage'))
    await page.getByText('this process needs a start for it').waitFor()
    await page.getByText('Ada Example: the new machine').waitFor()
    expect(await barriersIn(page)).toEqual([])

    // What a variable says goes before the log, and the page says so.
    await settingAt(page, address, 'publicUrl')
    await page.getByText('set where this process was started').first().waitFor()

    // Views prove themselves.
    await page.goto(`${address}/log/projections`)
    await page
      .getByRole('row', { name: /^fixity\s/ })
      .getByRole('button', { name: 'Prove it' })
      .click()
    await giveReason(page, 'Prove it', 'before the backup')
    await page.getByText('equal row for row, and folded anew').waitFor()

    // A copy is made, and known.
    await ask(['backup', join(folder, 'copy')], { home })
    await page.goto(`${address}/log/checks`)
    const well = page.getByRole('region', { name: 'What is well' })
    await well.getByText(/^the last one known was begun/).waitFor()
    expect(await wrong.textContent()).not.toContain('none by fonds backup')
  })
})
