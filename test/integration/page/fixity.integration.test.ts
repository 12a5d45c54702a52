import { describe, expect, it } from 'vitest'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sharedDemo,
  sidewaysIn,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const item = 'letters-of-ada-brandt/data/1912/07.tif'
const hostile = `<img src=x onerror=alert(1)>\u202e${'y'.repeat(200)}/gnp.exe\u0007${'x'.repeat(3700)}`

const eventsOf = async (address: string, type: string) => {
  const answer = await fetch(`${address}/api/v1/events?type=${type}`)
  return ((await answer.json()) as { events: { position: string; metadata: object; data: object }[] }).events
}

describe.skipIf(browserIsAbsent)('fixity', () => {
  it.each([
    ['Repaired', 'repaired'],
    ['Accept', 'accepted'],
    ['Lost', 'lost'],
  ])('a finding is settled as %s on its list, and its event has who and why', async (verb, how) => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    const line = page.locator('main tr', { hasText: '1912/07.tif' })
    await line.getByRole('checkbox').check()
    await page.getByText('1 chosen').waitFor()
    await page.getByRole('button', { name: verb }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('seen at the shelf')
    await dialog.getByRole('button', { name: verb }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    expect(await eventsOf(address, 'ResolutionClosed')).toMatchObject([
      { metadata: { actor: 'ada' }, data: { how, reason: 'seen at the shelf' } },
    ])
    // What is called repaired is read again: where it is as before, that is a new finding.
    await dialog.getByRole('button', { name: 'Close' }).click()
    if (how !== 'repaired') await expect.poll(() => line.count()).toBe(0)
  })

  it('several findings are settled with one reason by the keyboard alone, and the next one follows', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity?store=partner`)
    const rows = page.locator('main tr', { has: page.getByRole('checkbox') })
    await expect.poll(() => rows.count()).toBe(3)
    await page.keyboard.press('j')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toMatch(/^partner/)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+x')
    await page.getByText('3 chosen').waitFor()
    await page.getByRole('button', { name: 'Accept' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('seen at the shelf')
    await page.keyboard.press('Enter')
    await dialog.getByText('3 of 3 done.').waitFor()
    const closed = await eventsOf(address, 'ResolutionClosed')
    expect(closed).toHaveLength(3)
    for (const { metadata } of closed) expect(metadata).toMatchObject({ actor: 'ada' })
    await page.keyboard.press('Escape')
    await page.getByText('No finding fits the filter.').waitFor()

    // On the page of one, the reason of before is offered, and the next one is a key away.
    await page.goto(`${address}/fixity/item?${new URLSearchParams({ store: 'archive', path: item })}`)
    await page.getByRole('button', { name: 'Lost' }).click()
    await dialog.getByRole('button', { name: /As last time/ }).click()
    expect(await dialog.getByLabel('Why').inputValue()).toBe('seen at the shelf')
    await dialog.getByRole('button', { name: 'Lost' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: /Next finding/ }).waitFor()
    await page.keyboard.press('n')
    await expect.poll(() => new URL(page.url()).searchParams.get('path')).not.toBe(item)
    await page.getByText('is failed').waitFor()
  })

  it('a bag has a certificate, of now and of the moment that is shown', async () => {
    const address = await sharedDemo()
    const [first] = await eventsOf(address, 'BagJudged')
    const page = await openTab()
    for (const [query, verdict] of [
      ['', 'not valid'],
      [`?at=${first?.position}`, 'not proven'],
    ]) {
      await page.goto(`${address}/fixity${query}`)
      await page.getByRole('region', { name: 'Bags' }).getByRole('link', { name: 'Certificate' }).click()
      await page.getByRole('heading', { name: 'Bag certificate' }).waitFor()
      expect(await page.locator('.verdict').textContent()).toContain(`is ${verdict}.`)
      expect(await barriersIn(page), verdict).toEqual([])
    }
  })

  it('a filter is kept in the address, and under a name in this browser', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    await page.getByLabel('Paths that start so').fill('letters')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('prefix')).toBe('letters')
    await page.getByLabel('Name of this view').fill('the letters')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.goto(`${address}/fixity`)
    await page.getByRole('link', { name: 'the letters' }).click()
    await expect.poll(() => page.locator('main tr', { has: page.getByRole('checkbox') }).count()).toBe(1)
    await page.getByRole('button', { name: 'Forget the view the letters' }).click()
    expect(await page.getByRole('link', { name: 'the letters' }).count()).toBe(0)
  })

  it('what a dialog is about stays below it while it tells the outcome, and then leaves its list', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    const line = page.locator('main tr', { hasText: '1912/07.tif' })
    await line.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Accept' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('seen at the shelf')
    const answeredAnew = page.waitForResponse(
      async (answer) =>
        answer.url().includes('/fixity/findings') && !(await answer.text()).includes('1912/07.tif'),
    )
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await answeredAnew
    expect(await line.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => line.count()).toBe(0)
  })

  it('a store is there, has its last full cycle and its days; folders lead down to an item, its witnesses and certificate', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    const card = page.locator('.workflow', { hasText: 'archive' }).first()
    await card.getByText('mounted').waitFor()
    await card.getByText(/The last full cycle began on \d{4}-\d\d-\d\d/).waitFor()
    expect(await card.getByRole('img', { name: /by state/ }).getAttribute('aria-label')).toMatch(
      /^Items of archive by state/,
    )
    await card.getByRole('link', { name: 'Folders of archive' }).click()
    for (const folder of ['letters-of-ada-brandt/', 'data/', '1912/'])
      await page
        .locator('.treemap')
        .getByRole('link', { name: new RegExp(folder) })
        .click()
    expect(new URL(page.url()).searchParams.get('prefix')).toBe('letters-of-ada-brandt/data/1912/')
    await page.getByRole('link', { name: '07.tif' }).click()
    await page.getByText('is failed').waitFor()
    const values = await page
      .getByRole('region', { name: /What each witness said/ })
      .locator('td[data-title=Value]')
      .allTextContents()
    expect(values).toEqual(['A', 'not comparable', 'B', 'B'])
    await page.getByRole('button', { name: 'Check again' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ben')
    await dialog.getByLabel('Why').fill('the disk was changed')
    await dialog.getByRole('button', { name: 'Check again' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    expect(await eventsOf(address, 'CheckRequested')).toContainEqual(
      expect.objectContaining({ metadata: expect.objectContaining({ actor: 'ben' }) }),
    )
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Finished checks: failure 2, success 1.').waitFor()
    await page.getByRole('link', { name: 'Certificate' }).click()
    await page.getByText('Not verified: it is failed.').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: /Print/ }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
  })

  it('a certificate says verified of an item whose recorded checksum was compared', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    const path = 'letters-of-ada-brandt/data/1912/01.tif'
    await page.goto(`${address}/fixity/certificate?${new URLSearchParams({ store: 'archive', path })}`)
    await page.getByText(/^Verified\./).waitFor()
  })

  it('a quarter is reported with its trend, and the findings opened and settled in it', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity/period`)
    const quarter = page.getByLabel('Period').locator('optgroup').first().locator('option').first()
    await page.getByLabel('Period').selectOption({ label: (await quarter.textContent()) ?? '' })
    await page.getByLabel('Store').selectOption('archive')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('3 findings opened, 0 settled; 0 open before, 3 after.').waitFor()
    expect(page.url()).toMatch(/period=\d{4}-Q[1-4]&store=archive/)
    await page.getByRole('link', { name: 'archive/photographs/plate-004.dng' }).click()
    await page.getByText('The object is gone').first().waitFor()
  })

  it('hostile names do nothing, read in their own direction, and need no scrolling sideways', async () => {
    const { home } = useFolder()
    const { address } = await startNode({ home })
    const { broker } = await openHome(home)
    const data = { store: 'main', path: hostile, checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }] }
    const event = { specversion: '1.0', id: 'one', source: 'test', type: 'content.recorded', data }
    await broker.produce([
      { topic: 'fonds.fixity.content', key: `main/${hostile}`, headers: {}, value: JSON.stringify(event) },
    ])()
    const page = await openTab({ viewport: { width: 360, height: 740 } })
    await expect
      .poll(async () => (await fetch(`${address}/api/v1/reports/fixity`)).text())
      .toContain('"expected":1')
    const asked = { store: 'main', path: hostile }
    for (const path of [
      `/fixity/folders?${new URLSearchParams({ store: 'main' })}`,
      `/fixity/item?${new URLSearchParams(asked)}`,
      `/fixity/certificate?${new URLSearchParams(asked)}`,
    ]) {
      await page.goto(address + path)
      await page.getByText('\\u202e').first().waitFor()
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.locator('main').textContent()).not.toContain('\u202e')
      expect(await barriersIn(page), path).toEqual([])
      expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)
    }
  })

  const asked = new URLSearchParams({ store: 'archive', path: item })
  const items = [`/item?${asked}`, '/item?store=archive&path=no', `/certificate?${asked}`]
  const paths = ['', '/folders', '/folders?store=archive', ...items, '/period', '/period?period=nonsense']
  testOnEachScreen(
    'dark',
    paths.map((path) => `/fixity${path}`),
  )
})
