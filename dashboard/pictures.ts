import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/*
 * `npm run dashboard:pictures -- http://127.0.0.1:7070 [names of pages]`: draws the pages of a running Fonds, with what the demo made, for the docs, as
 * people of three screens see them.
 */

const folder = join(import.meta.dirname, '../docs/pages')
/** On each screen. */
const everywhere = {
  fixity: '/fixity',
  past: '/fixity?at=150',
  ingest: '/ingest',
  indexing: '/indexing',
  captures: '/indexing/captures?url=museum.example&match=domain&day=2026-01-31',
  thing: '/things/archive%2Fphotographs%2Fplate-004.dng',
  matching: '/matching/graphs/herbal?with=gentian-plate',
  research: '/research/episodes/episode-2',
}
const screens = [
  {
    name: 'phone',
    width: 390,
    height: 844,
    colorScheme: 'light',
    pages: { home: '/', topics: '/log/topics' },
  },
  {
    name: 'desk',
    width: 1280,
    height: 800,
    colorScheme: 'dark',
    pages: {
      home: '/',
      log: '/log',
      event: '/log/events/50',
      folders: '/fixity/folders?store=archive',
      item: '/fixity/item?store=archive&path=letters-of-ada-brandt/data/1912/07.tif',
      job: '/ingest/jobs/4',
      compare: '/compare?since=120&at=150',
    },
  },
  { name: 'wall', width: 2560, height: 1440, colorScheme: 'light', pages: { home: '/' } },
] as const

const [address = 'http://127.0.0.1:7070', ...wanted] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.FONDS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
for (const { name: screen, colorScheme, pages, ...viewport } of screens) {
  const page = await browser.newPage({ viewport, colorScheme, timezoneId: 'UTC', locale: 'en-GB' })
  for (const [name, path] of Object.entries({ ...pages, ...everywhere })) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await page.goto(address + path)
    await page.locator('h1').waitFor()
    if (name === 'past') await page.getByRole('button', { name: 'Time machine' }).waitFor()
    // All that is asked was answered.
    while ((await page.locator('.waiting, .not-known').count()) > 0) await page.waitForTimeout(50)
    await page.screenshot({ path: join(folder, `${name}-${screen}.png`) })
  }
}
await browser.close()
