import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { barriersIn, browserIsAbsent, openTab, startDemo, useImage } from './browser.ts'

/* Several rows of a list at once: the same part in every list, here in those of archive files and of fixity. */

useImage()

interface Event {
  readonly type: string
  readonly metadata: { readonly actor: string }
  readonly data: Readonly<Record<string, unknown>>
}

const eventsOf = async (address: string, type: string): Promise<readonly Event[]> => {
  const answer = await fetch(`${address}/api/v1/events?type=${type}`)
  return ((await answer.json()) as { events: Event[] }).events
}

const give = (address: string, command: string, input: object) =>
  fetch(`${address}/api/v1/commands/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, actor: 'ben', reason: 'meanwhile' }),
  })

/** Does what is chosen, with a reason: what the dialog says of it. */
const act = async (page: Page, verb: string | RegExp, reason?: string): Promise<string> => {
  await page.getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who you are').fill('ada')
  if (reason !== undefined) await dialog.getByLabel('Why').fill(reason)
  await dialog.getByText(/The same on the command line/).waitFor()
  expect(await barriersIn(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Close' }).waitFor()
  const told = (await dialog.textContent()) ?? ''
  await page.keyboard.press('Escape')
  return told
}

describe.skipIf(browserIsAbsent)('several rows of a list', () => {
  it('are acted on with one reason and taken back, and one that changed meanwhile is left, by the keyboard alone', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/indexing/files`)
    const rows = page.locator('main tr', { has: page.getByRole('checkbox') })
    await expect.poll(() => rows.count()).toBe(3)
    for (const key of ['j', 'x', 'j', 'j', 'Shift+x']) await page.keyboard.press(key)
    await page.getByText('3 chosen').waitFor()
    expect(await act(page, 'Park', 'the disk is changed')).toContain('Done. 3 of 3 done.')
    const byPerson = async () =>
      (await eventsOf(address, 'FileParked')).filter(({ data }) => data.by === 'person')
    const parked = await byPerson()
    expect(parked).toHaveLength(3)
    for (const { metadata, data } of parked) {
      expect(metadata.actor).toBe('ada')
      expect(data.reason).toBe('the disk is changed')
    }
    await page.getByText('None chosen').waitFor()

    // Taken back: a command more for each, with a reason of its own; nothing is erased.
    expect(await act(page, /^Undo: Rescue 3 files/)).toContain('3 of 3 done.')
    const rescued = await eventsOf(address, 'FileRescued')
    expect(rescued.map(({ data }) => data.reason)).toEqual(Array(3).fill('taken back: the disk is changed'))
    expect(await byPerson()).toHaveLength(3)
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)

    // Somebody else parks one of those that are chosen: nothing is done to it, and it stays chosen.
    // The one that is damaged was salvaged before: read again, it fails.
    const states = page.locator('main tr .state')
    await expect
      .poll(async () => (await states.allTextContents()).toSorted())
      .toEqual(['failed', 'indexed', 'indexed'])
    await page.getByRole('button', { name: 'Choose all 3' }).click()
    await page.getByText('3 chosen').waitFor()
    await give(address, 'indexing.park', { repository: 'main', name: 'museum-2025.warc.gz' })
    const told = await act(page, 'Withdraw', 'asked for by its owner')
    expect(told).toContain('2 of 3 done, 1 left as they are')
    expect(told).toContain('main/museum-2025.warc.gz: It changed since it was chosen: failed')
    await page.getByText('1 chosen').waitFor()
    expect(await eventsOf(address, 'FileWithdrawn')).toHaveLength(2)
    await page.getByRole('button', { name: 'Rescue' }).waitFor()
  })

  // Its end was not seen to pass: the page is tested by parts until it is.
  it('findings are given to a person, listed as theirs, and given back; a new file is taken in, and no other', async () => {
    const { address, home } = await startDemo()
    // All demos have one archive between them: a folder of this home gets the new files.
    const root = join(home, 'scans')
    await mkdir(root)
    await give(address, 'fixity.register-store', { store: 'scans', root })
    for (const name of ['new.txt', 'new.txt.2']) await writeFile(join(root, name), 'new')
    // It is compared once a day, and within a minute after a request.
    await give(address, 'fixity.take-in', { store: 'scans', path: 'none' })
    const page = await openTab()
    await page.goto(`${address}/fixity`)
    const findings = page.getByRole('region', { name: 'Findings to settle', exact: true })
    for (const name of ['07.tif', 'plate-004.dng'])
      await findings.locator('tr', { hasText: name }).getByRole('checkbox').check()
    await findings.getByRole('button', { name: 'Give to …' }).click()
    await page.getByRole('dialog').getByLabel('To whom').fill('ada@archive.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click()
    await page.getByText('2 chosen').waitFor()
    await findings.getByRole('button', { name: 'Give to …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To whom').fill('ada@archive.example')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('her collection')
    await dialog.getByRole('button', { name: 'Give to …' }).click()
    await dialog.getByText('2 of 2 done.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await findings.getByRole('link', { name: 'ada@archive.example 2' }).click()
    // A mail address stands outside of the log, and of addresses.
    const given = await eventsOf(address, 'ResolutionAssigned')
    const whose = new URL(page.url()).searchParams.get('whose')
    expect(whose).toMatch(/^person#/)
    expect(given.map(({ data }) => data.to)).toEqual([whose, whose])
    await findings.getByText('2 open since less than a day.').waitFor()
    await findings.getByRole('button', { name: 'That is me' }).click()
    await findings.getByRole('link', { name: 'mine 2' }).waitFor()
    expect(await barriersIn(page)).toEqual([])

    // By the last comparison of the store.
    await page.goto(`${address}/fixity?difference=new`)
    const otherwise = page.getByRole('region', { name: 'New, missing, moved', exact: true })
    await otherwise.getByRole('button', { name: 'Take in 2 new files' }).waitFor()
    await otherwise.getByRole('checkbox', { name: 'Choose scans/new.txt', exact: true }).check()
    expect(await act(page, /^Take in$/, 'it was scanned')).toContain('1 of 1 done.')
    expect(await eventsOf(address, 'TakeInRequested')).toMatchObject([
      { metadata: { actor: 'ben' } },
      { metadata: { actor: 'ada' }, data: { prefix: 'new.txt', isFile: true, reason: 'it was scanned' } },
    ])
    await otherwise.getByText('1 request to take files in wait').waitFor()
  })
})
