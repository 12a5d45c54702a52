import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sharedDemo,
  sidewaysIn,
  startNode,
  useImage,
} from './browser.ts'

useImage()

const opened = async (page: Page) => {
  await page.getByRole('button', { name: 'Search or go to' }).waitFor()
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Search or go to' })
  await box.waitFor()
  return box
}
const options = (page: Page) => page.locator('[role=option]').allTextContents()
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]').textContent()

describe.skipIf(browserIsAbsent)('the search over everything', () => {
  it('goes to anything by keys alone: opened by /, moved by arrows, opened by Enter, closed by Esc', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    await page.locator('h1').waitFor()
    await opened(page)
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
    await page.keyboard.type('herbal')
    await expect.poll(() => options(page)).not.toEqual([])
    await expect.poll(() => chosen(page)).toContain('herbal')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/matching/graphs/herbal`)
    expect(await page.locator('dialog[open]').count()).toBe(0)

    await page.keyboard.press('Control+k')
    // What was opened last is offered again.
    await expect.poll(() => options(page)).toEqual([expect.stringContaining('herbal')])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(page.url()).toBe(`${address}/matching/graphs/herbal`)
  })

  it('keeps to commands, batches and jobs, events, moments by a first character', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(address)
    const box = await opened(page)
    await box.fill('>hold')
    await expect.poll(() => options(page)).not.toEqual([])
    for (const option of await options(page)) expect(option).toMatch(/^[a-z]+\.[a-z-]+/)
    const first = await chosen(page)
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page)).toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page)).toBe((await options(page)).at(-1))
    await box.fill('@3')
    await expect.poll(async () => (await options(page)).length).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/log/events/3`)
    const again = await opened(page)
    await again.fill('@2026-01-31 12:00')
    await expect.poll(() => chosen(page)).toContain('Show the archive as of then')
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]at=2026-01-31T/)
  })

  it('says that nothing is called so, and what a text must be; a slash in a field is a slash', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(address)
    const box = await opened(page)
    await box.fill('zzzz-nothing')
    await page.getByText('Nothing is called so').waitFor()
    await box.fill('')
    await page.getByText('Ids and paths are found by their beginning').waitFor()
    await box.fill('a/b')
    await page.keyboard.press('/')
    expect(await box.inputValue()).toBe('a/b/')
  })

  it('shows what anybody wrote as text, shortened', async () => {
    const { home } = useFolder()
    const system = await openHome(home)
    const hostile = `<img src=x onerror=alert(1)>\u202egnp.exe${'x'.repeat(2000)}`
    const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
    const event = { id: '0198c0de-0000-7000-8000-00000000000a', type: 'Noted', data: {}, metadata }
    await system.eventStore.append(`note-${hostile}`, 'none', [event])()
    await system.close()
    const { address } = await startNode({ home })
    const page = await openTab({ viewport: { width: 390, height: 800 } })
    await page.goto(address)
    await page.locator('h1').waitFor()
    const box = await opened(page)
    await box.fill(`note-${hostile}`)
    await expect.poll(() => options(page)).not.toEqual([])
    expect((await options(page)).join()).toContain('\\u202e')
    expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)
  })

  it.each([
    { width: 390, height: 800, colorScheme: 'dark' },
    { width: 1280, height: 800, colorScheme: 'light' },
  ] as const)('has no barrier at %o', async ({ width, height, colorScheme }) => {
    const address = await sharedDemo()
    const page = await openTab({ viewport: { width, height }, colorScheme })
    await page.goto(address)
    await page.locator('h1').waitFor()
    await page.getByRole('button', { name: 'Search or go to' }).click()
    expect(await barriersIn(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('e')
    await expect.poll(async () => (await options(page)).length).toBeGreaterThan(5)
    expect(await barriersIn(page)).toEqual([])
    expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)
  })
})
