import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import { browserIsAbsent, openTab, startNode, testOnEachScreen, useImage } from './browser.ts'

useImage()

const record = (id: string, more: object = {}) => ({
  ...{ id, source: 'library', sourceVersion: 1, sourceModifiedAt: '2026-01-31T12:00:00Z' },
  ...{ state: 'visible', title: `The ${id}`, links: [], ...more },
})

/** Of answers, what is looked at. */
interface Known {
  readonly files?: readonly unknown[]
  readonly works?: { readonly visible: number }
}

describe.skipIf(browserIsAbsent)('the first run', () => {
  it('begins sources of archive files, a catalogue and programmes from the page', async () => {
    const { home, folder } = useFolder()
    const warcs = join(folder, 'warcs')
    mkdirSync(warcs)
    // It is sighted at once, and read when it has stood still.
    writeFileSync(join(warcs, 'first.warc'), 'not read in this test')
    const { address } = await startNode({ home })
    const page = await openTab()
    const done = async (verb: string) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who you are').fill('ada')
      await dialog.getByLabel('Why').fill('a new archive')
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.getByText('Done.', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
    }

    // A source: what is wrong names its field, and the button says why it is off.
    await page.goto(address)
    await page.getByRole('link', { name: 'Add a source' }).click()
    const add = page.getByRole('button', { name: 'Add the source' })
    expect(await add.isDisabled()).toBe(true)
    await page.getByLabel('Place').fill('srv/warcs')
    await page.locator('.trouble', { hasText: /^Place: is a folder or a list/ }).waitFor()
    await page.getByLabel('Place').fill(warcs)
    await page.getByText(`fonds settings set indexingSources main=${warcs}`).waitFor()
    await add.click()
    await done('Add the source')
    await page.getByRole('cell', { name: warcs }).waitFor()
    const asked = async (path: string) => (await (await fetch(`${address}/api/v1/${path}`)).json()) as Known
    await expect.poll(async () => (await asked('indexing/files')).files?.length).toBe(1)

    // A catalogue: records are taken, and lines that cannot be used are named with their field.
    await page.goto(`${address}/matching`)
    await page.getByRole('link', { name: 'Add records' }).click()
    const lines = [
      record('gentian'),
      record('herbal', { links: [{ to: 'gentian', reason: 'has' }] }),
      record('odd', { sourceVersion: -1 }),
    ]
    const file = join(folder, 'catalogue.ndjson')
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    await page.getByLabel('File of records').setInputFiles(file)
    await page.getByText('fonds produce fonds.matching.works catalogue.ndjson').waitFor()
    await page.getByRole('button', { name: 'Send the records' }).click()
    await page.getByText('Sent: 2 records taken, 1 line cannot be used.').waitFor()
    expect(await page.locator('.refused-lines').textContent()).toMatch(/^Line 3: .*sourceVersion/)
    await expect.poll(async () => (await asked('matching/summary')).works?.visible).toBe(2)

    // A programme: what the server says no to is told, and names the field.
    await page.goto(`${address}/research/add`)
    const fill = async (fields: Readonly<Record<string, string>>) => {
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).first().fill(value)
      await page.getByRole('button', { name: 'Add the programme' }).click()
    }
    await fill({
      'Its id': 'nine',
      'Its title': 'Nine',
      'Where its sound is': 'media.example/9.flac',
      'Who you are': 'ada',
    })
    expect(await page.getByLabel('What it is').inputValue()).toBe('audio/flac')
    await page.locator('.trouble', { hasText: 'mediaUri' }).waitFor()
    await fill({ 'Where its sound is': '/etc/passwd' })
    await page.getByText('It is not taken:').waitFor()
    await fill({ 'Where its sound is': 'https://media.example/9.flac' })
    await page.getByText('Taken:').waitFor()
    await page.getByRole('link', { name: 'nine' }).click()
    await page.getByRole('heading', { name: 'Nine' }).waitFor()
  })

  it('is off where the session may only read, which is told', async () => {
    const { home } = useFolder()
    const env = { FONDS_TOKEN: 'correct horse battery', FONDS_READ_TOKEN: 'only looking at it' }
    const { address } = await startNode({ home, env })
    const page = await openTab()
    await page.goto(`${address}/matching/add`)
    await page.getByLabel('The token').fill('only looking at it')
    await page.getByRole('button', { name: 'Enter' }).click()
    expect(await page.getByRole('button', { name: 'Send the records' }).isDisabled()).toBe(true)
    for (const [path, button] of [
      ['/research/add', 'Add the programme'],
      ['/indexing/sources', 'Add the source'],
    ] as const) {
      await page.goto(address + path)
      expect(await page.getByRole('button', { name: button }).isDisabled()).toBe(true)
      await page.locator('main').getByText('This session may only read.').first().waitFor()
    }
  })

  testOnEachScreen('dark', ['/indexing/sources', '/matching/add', '/research/add'])
})
