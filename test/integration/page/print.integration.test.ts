import { describe, expect, it } from 'vitest'
import { browserIsAbsent, openTab, sidewaysIn, startDemo, useImage } from './browser.ts'

/* What is printed, or saved as PDF by the browser: on A4, with margins of 1 cm. */

useImage()

const sheet = { width: 718, height: 1047 }
const margin = '1cm'

const item = new URLSearchParams({ store: 'archive', path: 'letters-of-ada-brandt/data/1912/07.tif' })
const paths = [
  `/fixity/certificate?${item}`,
  '/fixity/period',
  '/fixity/period?store=archive',
  '/ingest/batches/2/report',
]

/** Texts that reach over the edge of the sheet. */
const beyond = `[...document.querySelectorAll('main *')]
  .filter((one) => one.checkVisibility() && one.children.length === 0 && one.textContent.trim() !== '')
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    return width > 0 && (left < 0 || right > innerWidth)
  })
  .map((one) => one.textContent)`

describe.skipIf(browserIsAbsent)('a report that is printed', () => {
  it('lies on its sheet with all its text, repeats the head of each table, and is light', async () => {
    const { address } = await startDemo()
    const page = await openTab({ viewport: sheet, colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    for (const path of paths) {
      await page.goto(address + path)
      await page.locator('h1').waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      expect(await sidewaysIn(page), path).toBeLessThanOrEqual(0)
      expect(await page.evaluate(beyond), path).toEqual([])
      // A browser begins each page of a table with such a head.
      const heads = `[...document.querySelectorAll('main thead')].map((head) => getComputedStyle(head).display)`
      const displays = (await page.evaluate(heads)) as readonly string[]
      expect(
        displays.filter((display) => display !== 'table-header-group'),
        path,
      ).toEqual([])
      expect(await page.evaluate(`getComputedStyle(document.documentElement).colorScheme`), path).toBe(
        'light',
      )
      const pdf = await page.pdf({
        format: 'A4',
        margin: { top: margin, bottom: margin, left: margin, right: margin },
      })
      const text = pdf.toString('latin1')
      expect(text.startsWith('%PDF-'), path).toBe(true)
      const widths = [...text.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+)/g)].map(([, width]) => Number(width))
      expect(widths.length, path).toBeGreaterThan(0)
      // In points: 210 mm.
      for (const width of widths) expect(Math.abs(width - 595), path).toBeLessThan(2)
    }
  })
})
