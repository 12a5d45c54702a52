import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stop, until, useFolder } from '../../../e2e/run-fonds.ts'
import { ask, run } from '../../../e2e/run-here.ts'
import { aiosmtpd, bagit, makeBags, startMailServer } from '../../newcomers/inputs.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason, setFrom } from './dialogs.ts'

useImage()

/* A preservation officer, by the page: from the first screen to the finding, to a person, to a bag that is valid again. */

describe.skipIf(browserIsAbsent || 'absent' in bagit || 'absent' in aiosmtpd)(
  'a preservation officer, on the page',
  () => {
    it('sees what is wrong, gives it to somebody, settles it, and has reports mailed and a certificate printed', async () => {
      const { folder, home, root } = useFolder()
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
      const mail = await startMailServer(folder)
      const first = await startNode({ home })
      const page = await openTab({ colorScheme: 'dark' })

      // Reports by schedule: the page names what mails need first, what the field wants, and when the first comes.
      await page.goto(`${first.address}/fixity/reports`)
      await page.getByText('No mail goes out').waitFor()
      await page.getByRole('link', { name: 'mailServer' }).click()
      await setFrom(page, 'mailServer', mail.address)
      await page.goto(`${first.address}/log/settings/mailFrom`)
      await setFrom(page, 'mailFrom', 'fonds@archive.example')
      await page.goto(`${first.address}/fixity/reports`)
      await page.getByText('No report is mailed yet').waitFor()
      expect(await page.getByText('No mail goes out').count()).toBe(0)
      await page.getByLabel('How often').selectOption('daily')
      await page.getByLabel('To whom').fill('boss')
      await page.getByText('To whom: boss is no mail address').first().waitFor()
      expect(await page.getByRole('button', { name: 'Mail this report' }).isDisabled()).toBe(true)
      await page.getByLabel('To whom').fill('boss@archive.example')
      await page.getByLabel('Store').selectOption('archive')
      expect(await page.locator('main').textContent()).toContain(
        "fonds settings set reports 'daily to=boss@archive.example store=archive'",
      )
      await page.getByRole('button', { name: 'Mail this report' }).click()
      expect(await page.getByRole('dialog').textContent()).toMatch(
        /The first comes.*behind \d{4}-\d\d-\d\d 00:00/,
      )
      await giveReason(page, 'Mail this report', 'the board asks')
      const wanted = page.getByRole('table', { name: 'Reports that are mailed' })
      await wanted.getByText('boss@archive.example').waitFor()
      expect(await barriersIn(page)).toEqual([])

      // Settings of mail hold from the next start on, as the page says.
      await page.getByText('Mail goes out from the next start on').waitFor()
      await stop(first)
      const server = await startNode({ home })
      const { address } = server

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
      await page.getByText('Given to bob@archive.example').waitFor()

      // Put back and settled, it is read again and verified.
      writeFileSync(damaged, good)
      await page.getByRole('button', { name: 'Repaired' }).click()
      await giveReason(page, 'Repaired', 'restored from tape')
      await page.getByText('is verified').waitFor()
      await page.locator('main article').getByText('restored from tape').waitFor()

      // The bag with a stray file is shown as what it is, though no finding is open; without it, it is valid.
      await page.goto(address)
      await page.getByText(/^is a bag that is not valid: .*photos\/data\/stray\.txt/).waitFor()
      await page.getByRole('link', { name: /^Fixity \d needs? a person/ }).waitFor()
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
      expect((await page.pdf()).length).toBeGreaterThan(5_000)
      await page.goto(address)
      // A comparison may have seen the stray file meanwhile: that stays until the next one.
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText(/^is a bag that is not valid/).waitFor({ state: 'detached' })

      // The day ends: the report comes by itself, and the page lists it with its recipient.
      await until('the report is scheduled', async () => {
        const scheduled = await ask(['events', '--type', 'ReportScheduled'], given)
        return scheduled.length > 0
      })
      await stop(server)
      const dayAhead = {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../newcomers/clock-ahead.mjs')}`,
        DAYS_AHEAD: '1',
      }
      const tomorrow = await startNode({ home, env: dayAhead })
      await page.goto(`${tomorrow.address}/fixity/reports`)
      await page.getByText(/^Fonds: fixity of archive, \d{4}-\d\d-\d\d/).waitFor()
      const sent = page.getByRole('region', { name: 'Reports that were sent' })
      await sent.getByText('boss@archive.example').waitFor()
      expect(mail.mails().filter((one) => one.includes('X-RcptTo: boss@archive.example'))).toHaveLength(1)
    })
  },
)
