import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { StreamAppend } from '#src/ports/event-store.ts'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sidewaysIn,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const record = (url: string, date: string) => {
  const body = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nHello'
  return [
    'WARC/1.0',
    'WARC-Type: response',
    `WARC-Target-URI: ${url}`,
    `WARC-Date: ${date}`,
    'WARC-Record-ID: <urn:uuid:5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21>',
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${body.length}`,
    '',
    `${body}\r\n\r\n`,
  ].join('\r\n')
}

/** A node that looks for archive files in a folder, and parks those that fail once. */
const startCrawl = async (files: Readonly<Record<string, string>>) => {
  const { home } = useFolder()
  const folder = join(home, 'crawl')
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), new Date('2026-02-01'), new Date('2026-02-01'))
  }
  const env = {
    FONDS_INDEXING_SOURCES: `main=${folder}`,
    FONDS_INDEXING_ATTEMPTS: '1',
    FONDS_INDEXING_REPLAY: 'http://replay.example/web/',
  }
  return { home, ...(await startNode({ home, env })) }
}

const url = 'http://example.org/'
const whole = record(url, '2026-01-31T12:00:00Z')
const hostile = `\u202egnp<img-src=x>${'x'.repeat(200)}.warc`

describe.skipIf(browserIsAbsent)('indexing', () => {
  it('lists what failed with its reason; a person rescues it there, and the event is in the log', async () => {
    const { address } = await startCrawl({ 'one.warc': whole, [hostile]: whole.slice(0, 200) })
    const page = await openTab()
    await page.goto(`${address}/indexing`)
    await page.getByText('1 file waits for a person').waitFor()
    const row = page.getByRole('region', { name: 'Failed and parked' }).getByRole('row').nth(1)
    await row.getByText('the file ends within the head of a record').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('\u202e')
    expect(await barriersIn(page)).toEqual([])
    expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)

    await row.getByRole('button', { name: 'Rescue' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('the disk was mended')
    await dialog.getByRole('button', { name: 'Rescue' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('link', { name: /of the log/ }).click()
    await page.getByText('(this one)').waitFor()
    expect(await page.locator('.facts').textContent()).toContain('FileRescued')
    expect(await page.getByLabel('Data', { exact: true }).textContent()).toContain('the disk was mended')
  })

  it('of two people who rescue one file at once, one does it, and the other is told so', async () => {
    const { address } = await startCrawl({ 'two.warc': whole.slice(0, 200) })
    const rescuing = async (actor: string) => {
      const page = await openTab()
      await page.goto(`${address}/indexing/files/main/two.warc`)
      await page.getByRole('button', { name: 'Rescue' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who you are').fill(actor)
      await dialog.getByLabel('Why').fill('the disk was mended')
      return dialog
    }
    const dialogs = [await rescuing('ada'), await rescuing('ben')]
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: 'Rescue' }).click()))
    const told = await Promise.all(
      dialogs.map(async (dialog) => {
        await dialog.getByRole('status').waitFor()
        return dialog.getByRole('status').textContent()
      }),
    )
    // The second may also come once it has failed again: then it was parked anew, and both were done.
    const events = async () => {
      const answer = await (await fetch(`${address}/api/v1/events?type=FileRescued`)).json()
      return (answer as { events: unknown[] }).events.length
    }
    expect(told.filter((text) => text?.startsWith('Done.'))).toHaveLength(await events())
    for (const text of told) expect(text).toMatch(/^Done\.|^Conflict: .*not parked/)
  })

  it('shows the captures of a URL by year, month and day, where each lies, and where it is replayed', async () => {
    const { address } = await startCrawl({
      'one.warc': whole + record(url, '2026-01-31T12:00:00Z') + record(`${url}b`, '2026-01-31T13:00:00Z'),
      'older.warc': record(url, '2024-02-29T23:59:59Z'),
    })
    const page = await openTab()
    await page.goto(`${address}/indexing/captures`)
    await page.getByRole('textbox', { name: 'URL' }).fill('example.org')
    await page.getByRole('button', { name: 'Show' }).click()
    // The aggregator takes lines over within seconds; the page is asked again.
    await expect
      .poll(async () => {
        await page.reload()
        await page.locator('strong').waitFor()
        return page.locator('strong').textContent()
      })
      .toBe('3 captures on 2 days')
    await page.getByRole('link', { name: '2024: 1' }).click()
    await page.getByRole('table', { name: 'February' }).getByRole('link', { name: /^29/ }).click()
    const list = page.getByRole('region', { name: 'Captures of 2024-02-29' })
    await list.getByText('older.warc, byte 0').waitFor()
    expect(await list.getByRole('link', { name: 'Replay' }).getAttribute('href')).toBe(
      `http://replay.example/web/20240229235959/${url}`,
    )
    // Both captures of one second are there.
    await page.goto(`${address}/indexing/captures?url=example.org&day=2026-01-31`)
    await expect.poll(() => page.getByRole('link', { name: 'Replay' }).count()).toBe(2)
    expect(await barriersIn(page)).toEqual([])

    await page.getByRole('link', { name: 'Holdings' }).click()
    const years = page.getByRole('region', { name: 'Captures by year and type' }).getByRole('row')
    await expect.poll(() => years.allTextContents()).toEqual(['YearAlltext/html', '202411', '202633'])

    await page.goto(`${address}/indexing/captures?url=http://nowhere.example/`)
    await page.getByText('0 captures').waitFor()
    await page.getByText('nothing of its host is in the index').waitFor()
  })

  const captures = '/captures?url=museum.example&match=domain&day=2026-01-31'
  const paths = ['', '/files', '/files/main/museum-2025.warc.gz', captures, '/holdings']
  testOnEachScreen(
    'dark',
    paths.map((path) => `/indexing${path}`),
  )

  it('goes to any of 100,000 files, and draws few of them', async () => {
    const { home } = useFolder()
    const { address } = await startNode({ home }, '0', ['--roles', 'projections,api'])
    const { eventStore } = await openHome(home)
    for (let i = 0; i < 100_000; i += 1000)
      await eventStore.appendEach!(Array.from({ length: 1000 }, (_, k) => adopted(i + k)))()
    const known = async () => {
      const answer = await (await fetch(`${address}/api/v1/indexing/files?limit=1`)).json()
      return (answer as { total: number }).total
    }
    await expect.poll(known, { interval: 1000 }).toBe(100_000)
    const page = await openTab()
    await page.goto(`${address}/indexing/files`)
    await page.getByText('100,000 files, by name').waitFor()
    const list = page.locator('.long-list')
    const seen = () => list.locator('tbody tr[aria-rowindex] td:nth-child(2)').allTextContents()
    for (const row of [50_000, 99_999, 1]) {
      await page.getByLabel('Row, of 100,000').fill(String(row))
      await page.keyboard.press('Enter')
      await list.getByText(`main/${nameOf(row - 1)}`, { exact: true }).waitFor()
      expect((await seen()).length).toBeLessThan(200)
    }
    await list.focus()
    await page.keyboard.press('End')
    await list.getByText(`main/${nameOf(99_999)}`, { exact: true }).waitFor()
    await list.getByRole('link', { name: `main/${nameOf(99_999)}` }).click()
    await page.getByText('in the index before it was known here').waitFor()
  })
})

const nameOf = (i: number): string => `f${String(i).padStart(6, '0')}.warc.gz`

/** A file that was indexed before Fonds came. */
const adopted = (i: number): StreamAppend => ({
  stream: `indexing-main/${nameOf(i)}`,
  expected: 'none',
  events: [
    {
      id: uuid(),
      type: 'FileAdopted',
      data: { kind: 'content', at: '2026-01-31T12:00:00.000Z' },
      metadata: { actor: 'a test', causationId: 'c', correlationId: 'c', schema: 1 },
    },
  ],
})
