import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../infra/local/kafka/free-port.ts'
import { ada, client, startProvider } from '../../api/sign-in/provider.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import { browserIsAbsent, openTab, startNode, useImage } from './browser.ts'

useImage()

const token = 'correct horse battery'
const authorization = `Bearer ${token}`

/** Provider and Fonds have names of two sites, as far as a browser can tell. */
const start = async () => {
  const port = await freePort()
  const publicUrl = `http://fonds.localhost:${port}`
  const provider = await startProvider({ publicUrl, hasButton: true })
  const env = {
    FONDS_TOKEN: token,
    FONDS_PUBLIC_URL: publicUrl,
    FONDS_OIDC_ISSUER: provider.issuer,
    FONDS_OIDC_CLIENT_ID: client.id,
    FONDS_OIDC_CLIENT_SECRET: client.secret,
    FONDS_SIGN_IN_READ: 'staff',
    FONDS_SIGN_IN_OPERATE: 'archivists',
  }
  const node = await startNode({ home: useFolder().home, env }, String(port))
  const ask = async (path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${node.address}/api/v1/${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(answer.ok, path).toBe(true)
    return (await answer.json()) as { events: { metadata: { actor: string } }[] }
  }
  return { provider, publicUrl, ask, node }
}

/** What else the page asks is refused twice before it knows that the session has ended. */
const endSlowly = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const { fetch } = window
    let refusals = 0
    const { promise: isRefused, resolve } = Promise.withResolvers()
    window.fetch = async (address, asked) => {
      const response = await fetch(address, asked)
      if (response.status === 401 && ++refusals === 2) resolve()
      if (asked?.method === 'DELETE') await isRefused
      return response
    }
  }`)

describe.skipIf(browserIsAbsent)('signing in at a provider', () => {
  it('leads there and back to where one was; acts are in one’s name, and off where it has no permission', async () => {
    const { provider, publicUrl, ask, node } = await start()
    await ask('commands/fixity.register-store', {
      input: { store: 'main', kind: 'external' },
      ...{ actor: 'a script', reason: 'a new store' },
    })
    const page = await openTab()
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(String(error)))
    await page.goto(`${publicUrl}/do/fixity.check-store?store=main`)
    await page.getByRole('link', { name: /^Sign in at 127/ }).click()
    await page.getByRole('button', { name: 'Let me in' }).click()
    await page.getByRole('heading', { name: 'fixity.check-store' }).waitFor()
    expect(page.url()).toBe(`${publicUrl}/do/fixity.check-store?store=main`)
    const rail = page.locator('.rail footer')
    await rail.getByText('Ada Example may operate.').waitFor()

    await page.getByRole('button', { name: 'Do it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You are Ada Example.').waitFor()
    expect(await dialog.getByLabel('Who you are').count()).toBe(0)
    await dialog.getByLabel('Why').fill('water in the cellar')
    await dialog.getByRole('button', { name: 'Do it' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    const { events } = await ask('streams/fixityStore-main')
    expect(events.map(({ metadata }) => metadata.actor)).toEqual([
      'a script',
      `${provider.issuer}#${ada.sub}`,
    ])

    await page.goto(`${publicUrl}/log?stream=fixityStore-main`)
    await page.locator('main').getByText('Ada Example').first().waitFor()
    await page.locator('main').getByText('a script').first().waitFor()

    await page.goto(`${publicUrl}/do/settings.set`)
    expect(await page.getByRole('button', { name: 'Do it' }).isDisabled()).toBe(true)
    expect(await page.locator('main .why').textContent()).toBe(
      'This needs the permission to administer. Ask who administers Fonds.',
    )
    expect(await page.evaluate('document.cookie')).toBe('')

    await endSlowly(page)
    // That it comes there is all that is asked: its page need not be loaded.
    const there = page.waitForURL((url) => url.origin === provider.issuer, { waitUntil: 'commit' })
    await Promise.all([there, rail.getByRole('button', { name: 'Sign out' }).click()])
    await page.goto(publicUrl)
    await page.getByRole('link', { name: /^Sign in at/ }).waitFor()

    provider.signInAs({ ...ada, sub: 'b8', name: 'Ben Example', groups: ['staff'] })
    await page.context().clearCookies()
    await page.getByRole('link', { name: /^Sign in at/ }).click()
    await page.getByRole('button', { name: 'Let me in' }).click()
    await rail.getByText('You may read here. Ask who administers Fonds to do more.').waitFor()
    await page.goto(`${publicUrl}/do/fixity.check-store?store=main`)
    expect(await page.getByRole('button', { name: 'Do it' }).isDisabled()).toBe(true)
    expect(failures).toEqual([])
    expect(node.stderr()).not.toMatch(/Ada|Ben|ada@|a secret that|correct horse/)
  })
})
