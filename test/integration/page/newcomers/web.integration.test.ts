import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { ask, run } from '../../../e2e/run-here.ts'
import { type Capture, cutShort, makeWarcs, warcio } from '../../newcomers/inputs.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason } from './dialogs.ts'

useImage()

/* A web archivist, by the page: what was harvested is looked up, and a broken file is salvaged. */

const page4 = (n: string): Capture => [
  `http://broken.example.org/${n}`,
  '2026-03-01T10:00:00Z',
  `<html>${'page '.repeat(300)}${n}</html>`,
  'text/html',
  '200 OK',
]

describe.skipIf(browserIsAbsent || 'absent' in warcio)('a web archivist, on the page', () => {
  it('sees which file failed and why, salvages it, and finds captures with a way to replay', async () => {
    const { home, root } = useFolder()
    const given = { home }
    makeWarcs(root, {
      'A-00001.warc.gz': [
        ['http://example.org/', '2026-01-01T10:00:00Z', '<html>first</html>', 'text/html', '200 OK'],
        ['http://example.org/', '2026-02-01T10:00:00Z', '<html>second</html>', 'text/html', '200 OK'],
      ],
      'C-00001.warc.gz': ['1', '2', '3', '4'].map(page4),
    })
    cutShort(join(root, 'C-00001.warc.gz'), 0.6)
    await ask(['indexing', 'add', root], given)
    expect((await run(['indexing', 'run'], given)).code).toBe(1)
    const { address } = await startNode({ home, env: { FONDS_INDEXING_REPLAY: 'http://127.0.0.1:9/web/' } })
    const page = await openTab()

    await page.goto(`${address}/indexing`)
    const row = page.getByRole('row', { name: /C-00001/ })
    await row.getByText('the file ends within a gzip member').waitFor()
    expect(await barriersIn(page)).toEqual([])
    await row.getByRole('button', { name: /Salvage/ }).click()
    await giveReason(page, 'Salvage', 'no other copy')
    await expect
      .poll(async () => (await ask(['indexing', 'captures', 'http://broken.example.org/1'], given)).length)
      .toBe(1)
    await page.goto(`${address}/indexing/files/main/C-00001.warc.gz`)
    await page.getByText('it is damaged and was salvaged').waitFor()

    // Looked up from anywhere: by its address, then day by day.
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('http://example.org/')
    await page
      .getByRole('option', { name: /http:\/\/example\.org\// })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 captures on 2 days').waitFor()
    expect(await page.locator('main').textContent()).toContain('February')
    await page.goto(`${address}/indexing/captures?url=http%3A%2F%2Fexample.org%2F&day=20260101`)
    const replay = page.getByRole('link', { name: /[Rr]eplay/ }).first()
    await replay.waitFor()
    expect(await replay.getAttribute('href')).toBe(
      'http://127.0.0.1:9/web/20260101100000/http://example.org/',
    )

    // What cannot be found says so.
    await page.goto(`${address}/indexing/captures?url=http%3A%2F%2Fnowhere.example%2F`)
    await page
      .getByText(/[Nn]othing|cannot be found|no capture/)
      .first()
      .waitFor()
  })
})
