import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { ask, run } from '../../../e2e/run-here.ts'
import { bagit, makeBags } from '../../newcomers/inputs.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason } from './dialogs.ts'

useImage()

/* A preservation officer, by the page: from the first screen to the finding, to a person, to a bag that is valid again. */

describe.skipIf(browserIsAbsent || 'absent' in bagit)('a preservation officer, on the page', () => {
  it('sees what is wrong, gives it to somebody, settles it, and gets a certificate', async () => {
    const { home, root } = useFolder()
    const given = { home }
    makeBags(root, { letters: ['01.txt', '02.txt'], photos: ['p1.tif'] })
    await ask(['fixity', 'add', root, '--store', 'archive'], given)
    await ask(['fixity', 'check'], given)
    const damaged = join(root, 'letters/data/02.txt')
    const good = readFileSync(damaged)
    writeFileSync(damaged, `X${good.subarray(1)}`)
    const stray = join(root, 'photos/data/stray.txt')
    writeFileSync(stray, 'stray')
    expect((await run(['fixity', 'check'], given)).code).toBe(1)
    const { address } = await startNode({ home })
    const page = await openTab({ colorScheme: 'dark' })

    // The first screen names the file, and leads to it.
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: '1 finding to settle' }).waitFor()
    const need = page.getByRole('region', { name: 'Needs a person' })
    await need.getByText('02.txt').waitFor()
    expect(await need.textContent()).toContain('The bytes are not as recorded')
    expect(await barriersIn(page)).toEqual([])
    await need.getByText('Settle it').click()

    // What each witness says, the last good day; then it is given to somebody.
    await page.getByRole('heading', { level: 1, name: '02.txt' }).waitFor()
    await page.getByText('is failed').waitFor()
    expect(await page.locator('main').textContent()).toMatch(/Last good day.*Last checked/s)
    const witnesses = page.getByRole('table', { name: /What each witness said/ })
    expect(await witnesses.textContent()).toContain('letters/manifest-sha256.txt')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Give to …' }).click()
    expect(await dialog.textContent()).toContain('fonds do fixity.assign')
    await dialog.getByLabel(/To whom/).fill('bob@archive.example')
    await giveReason(page, 'Give to …', 'his shelf')
    const [assigned] = await ask(['events', '--type', 'ResolutionAssigned'], given)
    expect(assigned).toMatchObject({ metadata: { actor: 'ada' }, data: { reason: 'his shelf' } })

    // Put back and settled, it is read again and verified.
    writeFileSync(damaged, good)
    await page.getByRole('button', { name: 'Repaired' }).click()
    await giveReason(page, 'Repaired', 'restored from tape')
    await page.getByText('is verified').waitFor()
    expect(await page.locator('main').textContent()).toContain('restored from tape')

    // The bag with a stray file is shown as what it is, though no finding is open; without it, it is valid.
    await page.goto(address)
    await page.getByText(/^is a bag that is not valid: .*photos\/data\/stray\.txt/).waitFor()
    await page.getByRole('link', { name: /^Fixity 1 needs? a person/ }).waitFor()
    await page.goto(`${address}/fixity`)
    await page.getByText('Nothing is to be settled').waitFor()
    const bags = page.getByRole('region', { name: 'Bags' })
    await bags.getByText(/^2 bags: \d valid, 1 not valid/).waitFor()
    expect(await bags.textContent()).toContain('photos/data/stray.txt')
    rmSync(stray)
    expect((await run(['fixity', 'check'], given)).code).toBe(0)
    await bags.getByText('2 bags: 2 valid, 0 not valid, 0 not proven.').waitFor()
    await bags.getByRole('link', { name: 'Certificate' }).first().click()
    await page.getByRole('heading', { name: 'Bag certificate' }).waitFor()
    expect(await page.locator('.verdict').textContent()).toContain('is valid.')
    await page.goto(address)
    await page.getByText('Nothing waits for anybody.').waitFor()
  })
})
