import { describe, expect, it } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import { dataOf, retitled, works } from '../newcomers/catalogue.ts'
import { barriersIn, browserIsAbsent, openTab, startNode, useImage } from './browser.ts'

useImage()

/* A cataloguer, by the page: the same job as by the command line. */

const take = async (address: string, some: typeof works): Promise<void> => {
  const messages = some.map((work) => ({
    specversion: '1.0',
    id: `${work.id} ${work.sourceVersion}`,
    source: 'test',
    type: 'work.updated',
    data: dataOf(work),
  }))
  const response = await fetch(`${address}/api/v1/topics/fonds.matching.works/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(messages),
  })
  expect(response.ok, await response.text()).toBe(true)
}

describe.skipIf(browserIsAbsent)('a cataloguer', () => {
  it('says of a doubtful graph that it is right, splits a wrong one, and is shown the first again once it changed', async () => {
    const { address } = await startNode({ home: useFolder().home })
    await take(address, works)
    const page = await openTab()
    const dialog = page.getByRole('dialog')
    const settle = async (verb: string, reason: string) => {
      const who = dialog.getByLabel('Who you are')
      if ((await who.inputValue()) === '') await who.fill('ann')
      await dialog.getByLabel('Why').fill(reason)
      await dialog.getByRole('button', { name: verb, exact: true }).click()
      await dialog.getByText('Done.', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
    }
    await page.goto(`${address}/matching/attention`)
    await page.getByText('Odd: held by one link, 2 of them').waitFor()
    await page.getByLabel('Choose A herbal of the Alps, volume 1').check()
    await page.getByRole('button', { name: 'They are right as they are' }).click()
    await settle('They are right as they are', 'two volumes of one herbal')
    await page.getByText('Odd: held by one link, 1 of them').waitFor()
    await page.getByRole('cell', { name: 'two volumes of one herbal' }).waitFor()
    expect(await barriersIn(page)).toEqual([])

    // The other one: two atlases, side by side, and what the link between them holds.
    await page.getByRole('link', { name: 'Atlas of anatomy' }).first().click()
    await page.getByText('Nobody has said that it is right as it is.').waitFor()
    await page.locator('.graph').getByRole('link', { name: 'Atlas of the heavens' }).click()
    await page.getByRole('link', { name: 'Side by side' }).nth(1).click()
    await page.getByText('They are merged:').waitFor()
    await page.getByRole('row', { name: /year 1748 1661 differs/ }).waitFor()
    expect(await barriersIn(page)).toEqual([])
    await page.getByRole('link', { name: 'What if it were dropped?' }).click()
    await page.getByRole('button', { name: 'Drop the link' }).click()
    await settle('Drop the link', 'two atlases')
    await page.goto(`${address}/matching/attention`)
    await page.getByText('Nothing stands out.').waitFor()

    // Another title brings the herbal back; on its own page it is said to have changed, and is confirmed anew.
    await take(address, [retitled])
    await page.getByText('Odd: held by one link, 1 of them').waitFor()
    await page.getByRole('link', { name: 'A herbal of the Alps, volume 1' }).first().click()
    await page.getByText('It has changed since: that counts no more.').waitFor()
    await page.getByRole('button', { name: 'It is right' }).click()
    await settle('It is right', 'it was renamed')
    await page.getByText('confirmed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take that back' }).click()
    await settle('Take that back', 'it was another book')
    await page.getByText('Nobody has said that it is right as it is.').waitFor()
  })
})
