import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jingle, mixIn, talk, wav } from '../../../../src/cli/demo/sound.ts'
import { writeContent } from '../../../e2e/archive.ts'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { ask, run } from '../../../e2e/run-here.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from '../browser.ts'
import { giveReason } from './dialogs.ts'

useImage()

/* A programme manager, by the page: how far it is, where a jingle was found, and a verdict on it. */

describe.skipIf(browserIsAbsent)('a programme manager, on the page', () => {
  it('sees progress and what cannot be read, hears a place, and confirms it', async () => {
    const { home, root } = useFolder()
    const given = { home }
    const anthem = jingle(3, 11)
    writeContent(root, 'shows/monday.wav', wav(mixIn(talk(30, 1), anthem, 10, 3)))
    writeContent(root, 'shows/broken.mp3', 'no sound at all '.repeat(100))
    writeContent(root, 'clips/anthem.wav', wav(anthem))
    expect((await run(['research', 'add', 'episodes', join(root, 'shows')], given)).code).toBe(0)
    expect((await run(['research', 'add', 'clips', join(root, 'clips')], given)).code).toBe(0)
    const { address } = await startNode({ home })
    const page = await openTab()

    await page.goto(`${address}/research`)
    await page.getByText('1 of 2 pairs listened to').waitFor()
    // The episode that cannot be read is named, with its next try.
    await page
      .getByText(/broken/)
      .first()
      .waitFor()
    expect(await page.locator('main').textContent()).toMatch(/broken.*(next try|tried again)/s)
    expect(await barriersIn(page)).toEqual([])

    await page.getByRole('link', { name: 'Findings' }).click()
    await page.getByText('anthem').first().waitFor()
    await page
      .getByRole('link', { name: /monday/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /monday/ }).waitFor()
    await page.getByText('1 place found').waitFor()
    await page.getByRole('button', { name: /Play 0:00:10/ }).click()
    await expect
      .poll(() =>
        page.evaluate('[...document.querySelectorAll("audio")].some(({ currentTime }) => currentTime > 7)'),
      )
      .toBe(true)
    await page
      .getByRole('button', { name: /Confirm/ })
      .first()
      .click()
    await giveReason(page, 'Confirm', 'heard it')
    await expect
      .poll(async () => JSON.stringify(await ask(['research', 'timeline', 'monday'], given)))
      .toContain('confirmed')
    await expect.poll(() => page.locator('main').textContent()).toMatch(/confirmed by ada/)
  })
})
