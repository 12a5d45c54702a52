import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sharedDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

describe.skipIf(browserIsAbsent)('a thing', () => {
  it('has one history across workflows, from either end, each event leading to its page', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    const { rows } = (await (await fetch(`${address}/api/v1/views/ingest-objects?limit=1`)).json()) as {
      readonly rows: readonly [{ readonly object: string; readonly job: number }]
    }
    const [{ object, job }] = rows
    await page.goto(`${address}/things/${encodeURIComponent(object)}`)
    const titles = () => page.locator('.timeline a[href^="/log/events/"]').allTextContents()
    await expect.poll(titles).toContain('Version stored')
    const newestFirst = await titles()
    expect(newestFirst).toContain('Job created')
    expect(newestFirst).toContain('Batch submitted')
    await page.getByRole('link', { name: 'Oldest first' }).click()
    await expect.poll(titles).toEqual(newestFirst.toReversed())
    await page.getByRole('link', { name: 'By itself' }).click()
    const isAlone = async () => {
      const told = await titles()
      return told.includes('Version stored') && !told.includes('Job created')
    }
    await expect.poll(isAlone).toBe(true)

    await page.getByRole('link', { name: String(job), exact: true }).click()
    await expect.poll(titles).toContain('Job created')
    await page.locator('.timeline a[href^="/log/events/"]').first().click()
    await page.getByText('(this one)').waitFor()
  })

  it('tells what fixity and indexing have at one place as one story, and is reached from its name', async () => {
    const { home } = useFolder()
    const folder = join(home, 'crawl')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'cut.warc'), 'WARC/1.0\r\n')
    utimesSync(join(folder, 'cut.warc'), new Date('2026-02-01'), new Date('2026-02-01'))
    const recorded = await run(['fixity', 'add', folder, '--store', 'shelf'], { home })
    expect(recorded.code, recorded.stderr).toBe(0)
    const { address } = await startNode({ home, env: { FONDS_INDEXING_SOURCES: `main=${folder}` } })
    const page = await openTab()
    await page.goto(`${address}/indexing`)
    await page.getByRole('link', { name: 'main/cut.warc' }).click()
    await page.getByRole('link', { name: 'History of main/cut.warc' }).click()
    await page.getByRole('link', { name: 'shelf/cut.warc' }).waitFor()
    await expect.poll(() => page.locator('.timeline').textContent()).toMatch(/Indexing failed/)
    expect(await page.locator('.timeline').textContent()).toMatch(/Content recorded/)
    await page.getByRole('link', { name: 'shelf/cut.warc' }).click()
    await page.getByRole('link', { name: 'main/cut.warc' }).waitFor()
    await expect.poll(() => page.locator('.timeline').textContent()).toMatch(/Indexing failed/)
  })

  it('of which nothing is known says so', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    await page.goto(`${address}/things/${encodeURIComponent('<img src=x onerror=alert(1)>\u202egnp')}`)
    await page.getByText('nothing is known of').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('\u202e')
    expect(await barriersIn(page)).toEqual([])
  })

  const ids = ['archive/photographs/plate-004.dng', 'episode-2']
  testOnEachScreen(
    'light',
    ids.map((id) => `/things/${encodeURIComponent(id)}`),
    (page) => page.locator('.timeline').first().waitFor(),
  )
})
