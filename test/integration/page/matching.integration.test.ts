import { describe, expect, it } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sidewaysIn,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const hostile = `<img src=x onerror=alert(1)>\u202egnp.exe${'x'.repeat(1900)}`

interface Work {
  readonly id: string
  readonly source: string
  readonly title?: string
  readonly links: readonly { readonly to: string; readonly reason: string }[]
}

const say = async (address: string, works: readonly Work[]): Promise<void> => {
  const messages = works.map((work) => ({
    specversion: '1.0',
    id: `${work.id} 1`,
    source: 'test',
    type: 'work.updated',
    data: { sourceVersion: 1, sourceModifiedAt: '2026-01-31T12:00:00.000Z', state: 'visible', ...work },
  }))
  const response = await fetch(`${address}/api/v1/topics/fonds.matching.works/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(messages),
  })
  expect(response.ok, await response.text()).toBe(true)
}

describe.skipIf(browserIsAbsent)('matching', () => {
  it('from a title to a graph, why two are one, what a link holds, to the link dropped and its event', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(address)
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Matching' })
      .click()
    await page.getByLabel('An id, its beginning, or words of a title').fill('plate gentian')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'gentian-plate' }).click()
    await page.getByText('3 works, shown as A herbal of the Alps').waitFor()
    await page.locator('.graph').getByRole('link', { name: 'A herbal of the Alps', exact: true }).click()
    await page.getByText('Without any one of these they would part:').waitFor()
    await page.getByRole('link', { name: 'What if it were dropped?' }).click()
    await page.getByText('The works would part. Readers would get 1 other document.').waitFor()
    expect(await barriersIn(page)).toEqual([])

    await page.getByRole('button', { name: 'Drop the link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('another herbal')
    await dialog.getByRole('button', { name: 'Drop the link' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('1 work, shown as Gentian, plate IX').waitFor()
    const { events } = (await (await fetch(`${address}/api/v1/streams/work-gentian-plate`)).json()) as {
      events: unknown[]
    }
    expect(events.at(-1)).toMatchObject({
      type: 'WorkCorrected',
      data: { links: [], reason: 'another herbal', dropped: ['herbal'] },
      metadata: { actor: 'ada' },
    })

    await page.getByRole('link', { name: 'Close' }).click()
    await page
      .getByRole('region', { name: 'Links that were left out' })
      .getByRole('button', { name: 'Put it back' })
      .click()
    await dialog.getByLabel('Why').fill('the same herbal')
    await dialog.getByRole('button', { name: 'Put it back' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('3 works, shown as A herbal of the Alps').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Links that were left out' }).count()).toBe(0)
  })

  it('is legible at 650 records: what is alike is one box, which opens; neighbours are shown and folded', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const pictures = Array.from({ length: 559 }, (_, i) => ({
      id: `picture-${i}`,
      source: 'pictures',
      links: [{ to: 'hub', reason: 'is a picture in' }],
    }))
    const volumes = Array.from({ length: 90 }, (_, i) => ({
      id: `volume-${i}`,
      source: i % 2 ? 'library' : 'scans',
      links: [{ to: i === 0 ? 'hub' : `volume-${Math.floor(i / 4)}`, reason: 'part of' }],
    }))
    await say(address, [
      { id: 'hub', source: 'library', title: 'The hub', links: [] },
      ...pictures,
      ...volumes,
    ])
    const page = await openTab({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${address}/matching/graphs/hub`)
    const graph = page.locator('.graph')
    await graph.getByText('559 works of pictures').waitFor()
    await page.getByText('650 works, shown as').waitFor()
    expect(await graph.locator('.reason', { hasText: 'is a picture in' }).isVisible()).toBe(true)
    expect(await graph.locator('.box').count()).toBe(24)
    await graph.getByRole('link', { name: 'Show them' }).click()
    await graph.getByRole('link', { name: 'picture-558' }).waitFor()
    expect(await barriersIn(page)).toEqual([])
    await graph.getByRole('link', { name: 'Fold' }).click()
    await expect.poll(() => graph.getByRole('link', { name: 'picture-558' }).count()).toBe(0)

    await graph
      .getByRole('link', { name: /^Show \d neighbours?$/ })
      .first()
      .press('Enter')
    await expect.poll(() => graph.locator('.box').count()).toBeGreaterThan(24)
    await graph.getByRole('link', { name: 'Fold' }).press('Enter')
    await expect.poll(() => graph.locator('.box').count()).toBe(24)
  })

  it('shows hostile ids, titles and reasons as text', async () => {
    const { address } = await startNode({ home: useFolder().home })
    await say(address, [
      {
        id: 'a',
        source: hostile.slice(0, 200),
        title: hostile,
        links: [{ to: hostile, reason: hostile.slice(0, 300) }],
      },
    ])
    const page = await openTab({ viewport: { width: 360, height: 740 } })
    for (const path of [
      `/matching?q=${encodeURIComponent(hostile)}`,
      `/matching/graphs/a?with=${encodeURIComponent(hostile)}`,
    ]) {
      await page.goto(address + path)
      await page.getByText('<img').first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.locator('main').textContent()).not.toContain('\u202e')
      expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)
    }
  })

  it('compares generations, and says what is stuck and refused', async () => {
    const { address } = await startDemo()
    const done = await fetch(`${address}/api/v1/commands/matching.reindex`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        input: { rules: { precedence: ['pictures'] } },
        actor: 'ada',
        reason: 'pictures first',
      }),
    })
    expect(done.ok).toBe(true)
    const page = await openTab()
    await page.goto(`${address}/matching/generations`)
    await page.getByRole('link', { name: 'Switch to it' }).waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: 'Generation 1 beside 2' }).waitFor()
    await page.getByRole('region', { name: 'gentian-plate in 2' }).waitFor()
    await page.getByRole('link', { name: 'What to look at' }).click()
    await page.getByText('Nothing is stuck.').waitFor()
    await page.getByText('Nothing was refused.').waitFor()
  })

  const paths = [
    '',
    '?q=herbal',
    '/graphs/herbal?with=gentian-plate',
    '/graphs/herbal?from=gentian-plate&to=herbal',
    '/attention',
    '/generations',
  ]
  testOnEachScreen(
    'dark',
    paths.map((path) => `/matching${path}`),
  )
})
