import { v4 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sharedDemo,
  sidewaysIn,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const topic = 'fonds.fixity.content'
const hostile = `<img src=x onerror=alert(1)>\u202egnp.exe\u0000${'x'.repeat(4000)}`

const noted = (type: string) => ({
  id: uuid(),
  type,
  data: {},
  metadata: { actor: 'a test', causationId: 'c', correlationId: 'c', schema: 1 },
})

describe.skipIf(browserIsAbsent)('the log', () => {
  it('is browsed from either end, filtered, and an event shows what led to it and what it led to', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/log`)
    const positions = () =>
      page
        .locator('.long-list td:first-child')
        .allTextContents()
        .then((texts) => texts.map(Number))
    await expect.poll(positions).not.toEqual([])
    const newest = await positions()
    expect(newest).toEqual(newest.toSorted((a, b) => b - a))
    await page.getByRole('link', { name: 'Older' }).click()
    await expect.poll(async () => (await positions())[0]).toBeLessThan(newest[0]! - 50)
    await page.getByRole('link', { name: 'Oldest' }).click()
    await page.getByText('Older: none').waitFor()
    await page.getByLabel('Types').fill('FileIndexed')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(async () => (await positions()).length).toBe(3)
    expect(page.url()).toBe(`${address}/log?type=FileIndexed`)

    await page.locator('.long-list td a').first().click()
    await page.getByText('(this one)').waitFor()
    expect(await page.locator('.facts').textContent()).toContain('FileIndexed')
    expect(await page.locator('.tree a').count()).toBeGreaterThan(0)
    await page.locator('.facts a').click()
    await page.getByRole('heading', { name: /^Stream / }).waitFor()
    await page.goBack()
    await page.getByText('(this one)').waitFor()
  })

  it('is followed live: each of 10,000 events is shown once, though the server is killed in the midst of them', async () => {
    const { home } = useFolder()
    const first = await startNode({ home })
    const page = await openTab()
    await page.goto(`${first.address}/log?live=1&type=Noted`)
    await page.getByText('Following: 0 events').waitFor()
    const { eventStore } = await openHome(home)
    const write = async (times: number) => {
      for (let i = 0; i < times; i++)
        await eventStore.append(
          'note-1',
          'any',
          Array.from({ length: 100 }, () => noted('Noted')),
        )()
    }
    await write(40)
    first.child.kill('SIGKILL')
    await first.exit
    await page.getByText('Lost; trying again').waitFor()
    await write(30)
    await startNode({ home }, new URL(first.address).port)
    await page.getByRole('button', { name: 'Pause' }).click()
    await write(30)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Following: 10,000 events').waitFor()
    const seen = new Set<string>()
    const list = page.locator('.long-list')
    expect(await list.locator('tbody tr').count()).toBeLessThan(200)
    await page.evaluate(`document.querySelector('.long-list').scrollTo(0, 36 * 5000)`)
    await expect.poll(() => list.locator('tbody tr[aria-rowindex="5002"]').count()).toBe(1)
    // Those that were left out of a burst are asked for now.
    await expect.poll(() => list.locator('td.waiting').count()).toBe(0)
    for (const text of await list.locator('td:first-child').allTextContents()) {
      expect(seen.has(text)).toBe(false)
      seen.add(text)
    }
  })
})

describe.skipIf(browserIsAbsent)('a dead letter', () => {
  it('is found by its reason, mended and retried, and its events are there', async () => {
    const { home } = useFolder()
    const { address } = await startNode({ home })
    const { broker } = await openHome(home)
    await broker.produce([{ topic, key: hostile, headers: { x: hostile }, value: '{' }])()
    const page = await openTab()
    await page.goto(`${address}/log/dead-letters`)
    await page.getByRole('row').getByRole('link').first().click()
    await page.getByRole('row').getByRole('link').first().click()
    await page.getByText('waits for a person').waitFor()
    expect(await barriersIn(page)).toEqual([])
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.locator('main').textContent()).not.toContain('\u202e')
    expect(await sidewaysIn(page)).toBeLessThanOrEqual(0)

    const data = {
      store: 'main',
      path: 'a.tif',
      checksums: [{ algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' }],
    }
    const event = { specversion: '1.0', id: 'mended', source: 'test', type: 'content.recorded', data }
    await page.getByLabel('Value').fill(JSON.stringify(event))
    await page.getByRole('button', { name: 'Retry with this value' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('the brace was missing')
    await dialog.getByRole('button', { name: 'Retry with this value' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('link', { name: /of the log/ }).click()
    await page.getByText('DeadLetterRetried').first().waitFor()
    expect(await page.getByLabel('Data', { exact: true }).textContent()).toContain('the brace was missing')
  })
})

describe.skipIf(browserIsAbsent)('dead letters of one reason', () => {
  it('are retried together, each once, with their progress', async () => {
    const { home } = useFolder()
    const { address } = await startNode({ home })
    const { broker } = await openHome(home)
    const letters = Array.from({ length: 25 }, (_, i) => ({ topic, key: `k${i}`, headers: {}, value: '{' }))
    await broker.produce(letters)()
    const groups = async () => {
      const answer = await (await fetch(`${address}/api/v1/dead-letters/groups`)).json()
      return (answer as { groups: { count: number }[] }).groups.map(({ count }) => count)
    }
    await expect.poll(groups).toEqual([25])
    const page = await openTab()
    await page.goto(`${address}/log/dead-letters`)
    await page.getByRole('row').getByRole('link').first().click()
    await page.getByRole('button', { name: 'Retry all of them' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('the producer was mended')
    await dialog.getByRole('button', { name: 'Retry all of them' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('25 of 25 messages retried').waitFor()
    expect(await barriersIn(page)).toEqual([])
    const { events } = (await (
      await fetch(`${address}/api/v1/events?type=DeadLetterRetried&limit=1000`)
    ).json()) as { readonly events: readonly { readonly stream: string; readonly metadata: object }[] }
    expect(new Set(events.map(({ stream }) => stream)).size).toBe(25)
    expect(events).toHaveLength(25)
    expect(events[0]?.metadata).toMatchObject({ actor: 'ada' })
    // As they came they cannot be used either: they are back, as other letters.
    await expect.poll(groups).toEqual([25])
  })
})

describe.skipIf(browserIsAbsent)('a slow server', () => {
  it('is said to be slow, and what it has answered can be used', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    let answer = () => {}
    const isWanted = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/topics', async (route) => {
      await isWanted
      await route.continue()
    })
    await page.goto(`${address}/log/topics`)
    await page.getByText('The server is slow: it has not answered for').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Projections' }).click()
    await page.getByText('caught up').first().waitFor()
    await page.goBack()
    answer()
    await page.getByRole('link', { name: topic }).waitFor()
  })
})

describe.skipIf(browserIsAbsent)('every page of the log', () => {
  const events = ['', '?live=1', '/events/50', '/streams/fixityStore-archive']
  const topics = ['/topics', `/topics/${topic}`, '/groups', '/dead-letters']
  testOnEachScreen(
    'dark',
    [...events, ...topics, '/projections', '/nodes', '/metrics'].map((path) => `/log${path}`),
  )

  it('says what is there', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.goto(`${address}/log/topics`)
    await page.getByRole('link', { name: topic }).click()
    await page.locator('main summary').first().click()
    await page.getByRole('region', { name: 'Value' }).first().waitFor()
    await page.getByRole('link', { name: 'Consumer groups' }).click()
    await page.getByText('one member').first().waitFor()
    await page.getByRole('link', { name: 'Projections' }).click()
    await page.getByText('caught up').first().waitFor()
    await page.getByRole('link', { name: 'Nodes' }).click()
    await page.getByRole('link', { name: 'Give it to another' }).click()
    expect(page.url()).toBe(`${address}/do/system.end-lease?lease=reactions`)
  })
})
