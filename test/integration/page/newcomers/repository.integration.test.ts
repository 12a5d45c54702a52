import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { ask, run } from '../../../e2e/run-here.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason } from './dialogs.ts'

useImage()

/* A repository manager, by the page: a deposit is dropped, another one fails and is put right, and the object is found. */

describe.skipIf(browserIsAbsent)('a repository manager, on the page', () => {
  it('submits files, reads why a job failed, has it tried again, and finds the object', async () => {
    const { home, root } = useFolder()
    const given = { home }
    mkdirSync(join(root, 'maps'))
    const map = join(root, 'maps/north.tif')
    writeFileSync(map, 'another map')
    const right = createHash('sha256').update('a map of the north').digest('hex')
    writeFileSync(
      join(root, 'map.checkm'),
      [
        '#%checkm_0.7',
        '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest',
        `${pathToFileURL(map)} | sha-256 | ${right} | | | north.tif`,
        '#%eof',
        '',
      ].join('\n'),
    )
    const submitted = [
      'ingest',
      'submit',
      join(root, 'map.checkm'),
      '--local-id',
      'map-1',
      '--what',
      'Map of the north',
    ]
    expect((await run([...submitted, '--wait'], given)).code).toBe(1)
    const { address } = await startNode({ home })
    const page = await openTab()

    // Files are handed in from the page, and become an object.
    await page.goto(`${address}/ingest`)
    await page.getByText('Drop files or folders here').waitFor()
    await page.locator('input[type=file]').setInputFiles([
      { name: '1.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Ada,') },
      { name: '2.txt', mimeType: 'text/plain', buffer: Buffer.from('Yours, B.') },
    ])
    await page.getByLabel('Who you are').fill('eve')
    await page.getByLabel('Title').fill('Letters to Ada')
    await page.getByLabel('What you call it (local id)').fill('box-7')
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await expect.poll(async () => (await ask(['ingest', 'objects'], given)).length).toBe(1)
    expect(await barriersIn(page)).toEqual([])

    // The failed one: its reason with both digests, and what helps, on the job's own page.
    await page.goto(address)
    const need = page.getByRole('region', { name: 'Needs a person' })
    await need
      .getByText(/Map of the north|job|batch/)
      .first()
      .waitFor()
    const [failed] = await ask(['ingest', 'jobs', '--state', 'failed'], given)
    await page.goto(`${address}/ingest/jobs/${failed.job}`)
    await page.getByText(right).first().waitFor()
    writeFileSync(map, 'a map of the north')
    await page
      .getByRole('button', { name: /^Resume|Try again/ })
      .first()
      .click()
    const verb = await page.getByRole('dialog').getByRole('button').first().textContent()
    await giveReason(page, verb ?? '', 'the right file came')
    await expect
      .poll(async () => (await ask(['ingest', 'job', String(failed.job)], given))[0].state)
      .toBe('completed')
    await page.getByText('completed').first().waitFor()

    // Found by what its depositor calls it; what happened to it stands in one place.
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('map-1')
    await page.getByRole('option', { name: /map-1/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/ark:|map-1/)
    await page
      .getByText(/Map of the north|north\.tif|map-1/)
      .first()
      .waitFor()
    expect(await ask(['ingest', 'audit'], given)).toEqual([])
  })
})
