import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
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

const shownAt = (page: Page): string | null => new URL(page.url()).searchParams.get('at')

const banner = (page: Page) => page.getByRole('region', { name: 'The past' })

/** The row is open already where the past is shown. */
const openRow = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Time machine' })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
}

const stands = async (page: Page, words: string): Promise<void> => {
  await expect.poll(() => page.locator('.stands').textContent()).toContain(words)
}

const goTo = async (page: Page, moment: string): Promise<void> => {
  const field = page.getByLabel('date and time, or number of an event')
  await field.fill(moment)
  await field.press('Enter')
}

const isAt = async (page: Page, at: string | null): Promise<void> => {
  await expect.poll(() => shownAt(page)).toBe(at)
}

interface LogEvent {
  readonly position: string
  readonly type: string
}

const lastEvent = async (address: string): Promise<LogEvent> => {
  const answer = await fetch(`${address}/api/v1/events/moment`)
  return ((await answer.json()) as { event: LogEvent }).event
}

const command = async (address: string, name: string, input: object): Promise<{ position: string }> => {
  const answer = await fetch(`${address}/api/v1/commands/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, actor: 'ada', reason: 'seen at the shelf' }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { position: string }
}

const lost = { store: 'archive', path: item, resolution: `archive/${item}#1`, how: 'lost' }

/** Settles a finding of the demo for good, once for all tests, and says which event was the last one before. */
const settledIn = (address: string) => {
  settled ??= settleOne(address)
  return settled
}

let settled: ReturnType<typeof settleOne> | undefined

const settleOne = async (address: string) => {
  const before = await lastEvent(address)
  const { position } = await command(address, 'fixity.resolve', lost)
  await fetch(`${address}/api/v1/views/fixity-resolutions?after=${position}`)
  return { before: before.position, settled: position }
}

const line = (page: Page) => page.locator('main tr', { hasText: '1912/07.tif' })

describe.skipIf(browserIsAbsent)('the time machine', () => {
  it('shows a page as it was at a moment chosen by clicks: commands are off, links stay in the past, and lead out of it', async () => {
    const address = await sharedDemo()
    const { before } = await settledIn(address)
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    await page.getByText('Findings to settle').waitFor()
    await page.getByText('partner/replica/F2-sour.tif').waitFor()
    expect(await line(page).count()).toBe(0)

    await openRow(page)
    await page.getByText(/last, event/).waitFor()
    await goTo(page, before)
    await isAt(page, before)
    await stands(page, `event ${before}:`)
    await banner(page).getByText('The past is shown: commands are off.').waitFor()
    await line(page).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Check all of archive' }).isDisabled()).toBe(true)
    await page.locator('.bulk').first().getByText('The past is shown: commands are off.').waitFor()
    await page.getByText('Not followed').waitFor()

    const links: readonly string[] = await page.evaluate(
      '[...document.querySelectorAll("nav[aria-label=Pages] a, main a")].map(({ href }) => href)',
    )
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) {
      const { pathname, searchParams } = new URL(link)
      expect(searchParams.get(pathname.startsWith('/api/') ? 'asOf' : 'at'), link).toBe(before)
    }
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Log' })
      .click()
    await page.getByRole('link', { name: before, exact: true }).first().waitFor()
    await isAt(page, before)
    // A bookmark shows the same, and a step back in the browser leads back.
    await page.reload()
    await page.getByRole('link', { name: before, exact: true }).first().waitFor()
    await stands(page, `event ${before}:`)
    expect(await page.locator('tbody tr[aria-rowindex="2"] a').first().textContent()).toBe(before)
    await page.goBack()
    await line(page).waitFor()

    await banner(page).getByRole('link', { name: 'Back to now' }).click()
    await isAt(page, null)
    await expect.poll(() => line(page).count()).toBe(0)
    expect(await banner(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Check all of archive' }).isEnabled()).toBe(true)
  })

  it('goes from event to event, each named, and its slider stands on one', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/research`)
    await openRow(page)
    const steps = page.getByRole('navigation', { name: 'Steps through the log' })
    await steps.getByRole('link', { name: 'First event' }).click()
    await expect.poll(() => shownAt(page)).not.toBeNull()
    const first = shownAt(page) ?? ''
    await steps.getByText('Event before: none').waitFor()
    await steps.getByRole('link', { name: 'Event after' }).click()
    await expect.poll(() => Number(shownAt(page))).toBeGreaterThan(Number(first))
    const second = shownAt(page) ?? ''
    const told = (await (await fetch(`${address}/api/v1/events/${second}`)).json()) as LogEvent & {
      stream: string
    }
    await stands(page, `event ${second}: ${told.type} of ${told.stream}`)
    await steps.getByRole('link', { name: 'Event before' }).click()
    await isAt(page, first)

    const slider = page.getByRole('slider', { name: /Moment/ })
    await page.getByRole('img', { name: /^Moment: events over this time, \d+ in all/ }).waitFor()
    await slider.press('End')
    await expect.poll(() => Number(shownAt(page))).toBeGreaterThan(Number(second))
    const end = shownAt(page) ?? ''
    const stood = (await (await fetch(`${address}/api/v1/events/moment?at=${end}`)).json()) as {
      event: LogEvent
      last: LogEvent
    }
    expect(stood.event.position).toBe(end)
    await stands(page, `event ${end}: ${stood.event.type}`)
    // Whoever goes by keys stays on it.
    await page.keyboard.press('Home')
    await expect.poll(() => Number(shownAt(page))).toBeLessThan(Number(end))

    // A move right behind a step counts, however early: here before the step's page is painted.
    await steps.getByRole('link', { name: 'Last event' }).click()
    // The first second may have but one event.
    await expect.poll(() => shownAt(page)).not.toBe(first)
    await stands(page, `event ${shownAt(page)}:`)
    await page.evaluate(`new MutationObserver(async (_, observer) => {
      if (!document.querySelector('.stands').textContent.startsWith('event ${first}:')) return
      observer.disconnect()
      const slider = document.querySelector('.slider input')
      slider.value = slider.max
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await undefined
      slider.dispatchEvent(new Event('change', { bubbles: true }))
      document.body.dataset.moved = 'yes'
    }).observe(document.querySelector('.then'), { characterData: true, childList: true, subtree: true })`)
    await steps.getByRole('link', { name: 'First event' }).click()
    await page.locator('body[data-moved]').waitFor()
    await expect.poll(() => Number(shownAt(page))).toBeGreaterThanOrEqual(Number(end))
  })

  it('takes a date and time in the zone of the reader, to the end of that second', async () => {
    const address = await sharedDemo()
    const answer = await fetch(`${address}/api/v1/events/moment?at=100`)
    const { recordedAt } = ((await answer.json()) as { event: { recordedAt: string } }).event
    const second = recordedAt.slice(0, 19)
    const page = await openTab({ timezoneId: 'Asia/Kolkata' })
    await page.goto(`${address}/ingest`)
    await openRow(page)
    const local = new Date(Date.parse(`${second}Z`) + 5.5 * 3600_000).toISOString().slice(0, 19)
    await goTo(page, local)
    await isAt(page, `${second}.999Z`)
    await page.getByRole('button', { name: `Time machine: ${local.replace('T', ' ')}` }).waitFor()
    const answered = await fetch(`${address}/api/v1/events/moment?at=${second}.999Z`)
    const { event } = (await answered.json()) as { event: LogEvent }
    await stands(page, `event ${event.position}: ${event.type}`)
  })

  it('says on every page what is as of now, asks all else as of then, and lets nothing be changed', async () => {
    const address = await sharedDemo()
    const { before } = await settledIn(address)
    const sources = await readFile(join(import.meta.dirname, '../../../dashboard/src/pages/pages.ts'), 'utf8')
    const paths = [...sources.matchAll(/pattern: '([^':]+)'/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(20)
    const page = await openTab()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (!/^\/(api\/v1\/|metrics|readyz)/.test(pathname)) return
      expect(request.method()).toBe('GET')
      if (!searchParams.has('asOf') && !timeless.test(pathname)) asked.push(pathname)
    })
    const one = new URLSearchParams({ store: 'archive', path: item })
    const withPaths = [
      ...paths.map((path) =>
        ofAnItem.test(path) ? `${path}?${one}` : path === '/proofs/event' ? `${path}?position=3` : path,
      ),
      '/matching/graphs/herbal',
      '/log/topics/fonds.fixity.content',
      '/do/fixity.check',
      `/things/archive%2F${encodeURIComponent(item)}`,
    ]
    for (const path of withPaths) {
      asked.length = 0
      await page.goto(`${address}${path}${path.includes('?') ? '&' : '?'}at=${before}`)
      await page.locator('main h1').waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      await banner(page).waitFor()
      const isTold = async () => (await page.locator('.of-now').count()) > 0 === asked.length > 0
      await expect.poll(isTold, { message: `${path} asked ${asked} as of now` }).toBe(true)
      // What others are folded before is asked again.
      await expect.poll(() => page.locator('main .trouble').allTextContents(), { message: path }).toEqual([])
      const buttons = await page.locator('main button:enabled').allTextContents()
      expect(
        buttons.filter((says) => !harmless.test(says)),
        path,
      ).toEqual([])
      // A file that is dropped stays in the browser.
      expect(
        await page.locator('main input[type=file]:not(.drop):enabled').filter({ visible: true }).count(),
        path,
      ).toBe(0)
    }
  })

  it('compares two moments: what came, went and changed, by which events, and large differences page by page', async () => {
    const address = await sharedDemo()
    const { before, settled } = await settledIn(address)
    const page = await openTab()
    await page.goto(`${address}/fixity?at=${before}`)
    await banner(page).getByRole('link', { name: 'What changed since' }).click()
    await page.getByRole('heading', { name: `What changed since event ${before}` }).waitFor()
    // What a person would say changed, and by whom; the columns of the views are below.
    const settledRow = page
      .getByRole('region', { name: 'Settled, 1' })
      .locator('tr', { hasText: '1912/07.tif' })
    await settledRow.getByText('lost').waitFor()
    await settledRow.getByText('ada: seen at the shelf').waitFor()
    await page.locator('summary', { hasText: 'View by view' }).click()
    const resolutions = page.getByRole('region', { name: 'What differs in fixity-resolutions' })
    const row = resolutions.locator('tr', { hasText: '1912/07.tif' })
    await row.getByText('~ changed').waitFor()
    await row.getByText('status: open → closed').waitFor()
    await row.getByText('reason: none → seen at the shelf').waitFor()
    await page.getByText(/^The same at both moments: .*ingest-batches/).waitFor()
    await page.getByText(/^Not compared, as they do not keep their past: .*rejections/).waitFor()
    await row.getByRole('link', { name: `${settled} ResolutionClosed` }).click()
    await page.getByRole('heading', { name: `Event ${settled}` }).waitFor()

    // All items came since the first event: more than a page of them.
    await page.goto(`${address}/compare?since=1&view=fixity-items`)
    await page.getByText('+ came').first().waitFor()
    const keys = async () => page.locator('main tbody tr td:first-child').allTextContents()
    const seen = await keys()
    expect(seen).toHaveLength(50)
    await page.getByRole('link', { name: 'Further rows' }).click()
    const { rows } = (await (await fetch(`${address}/api/v1/views/fixity-items?limit=1000`)).json()) as {
      rows: unknown[]
    }
    await expect.poll(async () => (await keys()).length).toBe(rows.length - seen.length)
    expect(new Set([...seen, ...(await keys())]).size).toBe(rows.length)
    expect(await page.getByRole('link', { name: 'Further rows' }).count()).toBe(0)

    // The wrong way round, and what is no moment.
    await page.goto(`${address}/compare?since=${settled}&at=${before}`)
    await page.getByText('the earlier moment comes first').waitFor()
    await page.goto(`${address}/compare?since=yesterday`)
    await page.getByText('that is no moment').waitFor()
  })

  it('tells what is no moment, with how to mend it; nothing is shown for it', async () => {
    const address = await sharedDemo()
    const page = await openTab({ viewport: { width: 360, height: 740 } })
    for (const [at, why] of [
      ['yesterday', 'that is no moment'],
      ['2026-02-31T12:00:00Z', 'that is no moment'],
      ['<img src=x onerror=alert(1)>\u202e1042', 'that is no moment'],
      ['x'.repeat(4096), 'that is no moment'],
      ['2999-01-01T00:00:00Z', 'that moment has not come yet'],
      ['99999999', 'the log has no event 99999999 yet'],
    ] as const) {
      await page.goto(`${address}/fixity?${new URLSearchParams({ at })}`)
      await page.getByRole('heading', { name: 'No such moment' }).waitFor()
      await page.getByText(why).waitFor()
      await page.getByText('at=2026-01-31T12:00:00Z').waitFor()
      expect(await page.getByText('Findings to settle').count(), at).toBe(0)
      expect(await page.locator('main img').count(), at).toBe(0)
      expect(await page.locator('main').textContent()).not.toContain('\u202e')
      await page.getByText(/last, event/).waitFor()
      expect(await barriersIn(page), at).toEqual([])
      expect(await sidewaysIn(page), at).toBeLessThanOrEqual(0)
      await page.getByRole('link', { name: 'Back to now' }).click()
      await page.getByText('Findings to settle').waitFor()
      await isAt(page, null)
    }
  })

  it('before the first event nothing had happened', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/?at=1999-01-01T00:00:00Z`)
    await banner(page).getByText('Before the first event: nothing had happened yet.').waitFor()
    await page.locator('.workflow', { hasText: 'fixity' }).getByText('nothing is recorded yet').waitFor()
    await page.locator('.workflow', { hasText: 'ingest' }).getByText('nothing was submitted yet').waitFor()
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Log' })
      .click()
    await page.getByText('There is no such event.').waitFor()
    expect(await page.locator('main tbody tr').count()).toBe(0)
  })

  it('as of a moment that views have not come to, nothing older is shown for it', async () => {
    const { home, child, exit } = await startDemo()
    child.kill('SIGTERM')
    await exit
    // Nobody folds views here: they stay behind what is appended.
    const { address } = await startNode({ home }, '0', ['--roles', 'api'])
    const { position } = await command(address, 'fixity.resolve', lost)
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    await line(page).waitFor()
    await page.goto(`${address}/fixity?at=${position}`)
    await stands(page, `event ${position}:`)
    const findings = page.getByRole('region', { name: 'Findings to settle' })
    const told = async () => (await findings.count()) + (await page.locator('.trouble').count())
    await expect.poll(told).toBeGreaterThan(0)
    expect(await line(page).count()).toBe(0)
    // What cannot be told is refused in a sentence.
    await page.goto(`${address}/compare?since=1&at=${position}&view=fixity-resolutions`)
    await page.locator('.trouble').waitFor()
    expect(await page.locator('main tbody tr').count()).toBe(0)
  })

  const at = 'at=120'
  testOnEachScreen(
    'light',
    [`/fixity?${at}`, `/?${at}`, `/log/nodes?${at}`, `/compare?since=100&${at}`, '/compare'],
    async (page) => {
      await page.locator('main h1').waitFor()
      await openRow(page)
      // Comparing has a slider for each of its ends as well.
      await page
        .locator('.then')
        .getByRole('img', { name: /^Moment: events over this time/ })
        .waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    },
  )
})

/** Of routes whose answers are the same at any time, or that are told the moments they are asked about. */
const timeless =
  /^\/api\/v1\/(commands|views|proof\/event|events\/(moment|times|\d+)|views\/[^/]+\/diff|views\/log-ends\/changes)$/

const ofAnItem = /^\/fixity\/(item|certificate)$/

/** Buttons that change nothing. */
const harmless =
  /^(Show|Search|Compare|Compare with today’s|Go there|Print, or save as PDF|As a table \(CSV\)|As labels for Audacity|Next|Previous|Play|Prove|Verify again|Proof file|Believe this key|Copy|archive\.policy|.*:\d\d.*)$/
