import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { HOUR } from '../../../src/domain/kernel/time.ts'
import { appended, work } from '../../e2e/many-things.ts'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import {
  browserIsAbsent,
  openTab,
  sharedDemo,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const sent = async (address: string, path: string, type: string, body: unknown): Promise<void> => {
  const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) }
  const answer = await fetch(`${address}/api/v1/${path}`, init)
  expect(answer.ok, await answer.text()).toBe(true)
}

const say = (address: string, topic: string, type: string, data: object) =>
  sent(address, `topics/${topic}/messages`, 'application/cloudevents+json', {
    ...{ specversion: '1.0', id: `${type} of a test`, source: 'test', type, data },
  })

const order = (address: string, command: string, input: object) =>
  sent(address, `commands/${command}`, 'application/json', { input, actor: 'ada', reason: 'stocktaking' })

describe.skipIf(browserIsAbsent)('home', () => {
  it('says how each workflow is, and what needs a person leads to where it is settled', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(address)
    for (const workflow of ['fixity', 'ingest', 'indexing', 'matching', 'research'])
      await page.locator('.workflow', { hasText: workflow }).locator('.condition').waitFor()
    expect(
      await page.locator('.workflow', { hasText: 'fixity' }).locator('.condition').textContent(),
    ).toMatch(/^6 findings to settle$/)
    expect(await page.locator('.needs li').count()).toBe(6)

    await page
      .locator('.needs li', { hasText: 'plate-004.dng' })
      .getByRole('link', { name: 'Settle it' })
      .click()
    expect(page.url()).toContain('/fixity/item?store=archive&path=photographs')
    await page.getByRole('button', { name: 'Lost' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('it is nowhere')
    await dialog.getByRole('button', { name: 'Lost' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()

    const [event] = (
      (await (await fetch(`${address}/api/v1/events?type=ResolutionClosed`)).json()) as { events: unknown[] }
    ).events
    expect(event).toMatchObject({ metadata: { actor: 'ada' } })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Home' })
      .click()
    await expect.poll(() => page.locator('.needs li').count()).toBe(5)
  })

  it('of two people who settle one finding at once, one does it, and the other is told so', async () => {
    const { address } = await startDemo()
    const settling = async (actor: string) => {
      const page = await openTab()
      await page.goto(address)
      await page
        .locator('.needs li', { hasText: 'plate-004.dng' })
        .getByRole('link', { name: 'Settle it' })
        .click()
      await page.getByRole('button', { name: 'Lost' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who you are').fill(actor)
      await dialog.getByLabel('Why').fill('it is nowhere')
      return dialog
    }
    const dialogs = [await settling('ada'), await settling('ben')]
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: 'Lost' }).click()))
    const told = await Promise.all(
      dialogs.map(async (dialog) => {
        const status = dialog.getByRole('status')
        await status.waitFor()
        return status.textContent()
      }),
    )
    expect(told.filter((text) => text?.startsWith('Done.'))).toHaveLength(1)
    expect(told.filter((text) => text?.startsWith('Conflict:'))).toHaveLength(1)
  })

  it.each(['is cut off', 'is refused for now'])(
    'a question that %s is asked again by itself',
    async (how) => {
      const address = await sharedDemo()
      const page = await openTab()
      let asked = 0
      await page.route('**/api/v1/views/fixity-resolutions?*', (route) => {
        if (++asked > 1) return route.continue()
        if (how === 'is cut off') return route.abort('connectionreset')
        const problem = { type: 'urn:fonds:problem:away', title: 'Away', status: 503, code: 'away' }
        const body = JSON.stringify({ ...problem, detail: 'a dependency is unavailable' })
        return route.fulfill({ status: 503, contentType: 'application/problem+json', body })
      })
      await page.goto(address)
      const need = page.locator('.needs li', { hasText: 'plate-004.dng' })
      await need.getByRole('link', { name: 'Settle it' }).click()
      await page.getByRole('button', { name: 'Lost' }).waitFor()
      expect(asked).toBeGreaterThan(1)
    },
  )

  it('what waits leads to its own page, whatever it is, the oldest first', async () => {
    const { address, home } = await startDemo()
    await order(address, 'research.set-policy', { attempts: 1 })
    await say(address, 'fonds.research.episodes', 'episode.curated', {
      ...{ id: 'nine', title: 'Nine', mediaUri: 'https://media.example/9.mp3', mediaType: 'audio/mpeg' },
      ...{ curator: 'ada', curatedAt: '2026-01-31T12:00:00.000Z' },
    })
    await say(address, 'fonds.research.results', 'research.failed', {
      ...{ episode: 'nine', researcher: 'me', subject: 'episode', stage: 'decode' },
      ...{ error: 'it is a picture', failedAt: '2026-01-31T12:00:00.000Z', final: true },
    })
    const { broker } = await openHome(home)
    await broker.produce([{ topic: 'fonds.fixity.content', key: 'k', headers: {}, value: '{' }])()
    await order(address, 'indexing.park', { repository: 'main', name: 'museum-2024.warc.gz' })
    await order(address, 'ingest.hold-collection', { collection: 'letters' })
    await order(address, 'research.pause', {})
    const page = await openTab()
    const leads = [
      ['it is a picture', 'See the episode', /episodes\/nine$/, 'Try again'],
      ['could not be used', 'See the messages', /dead-letters\?reason=/, 'Retry all of them'],
      ['museum-2024.warc.gz is parked', 'See the file', /files\/main\/museum-2024/, 'Rescue'],
      ['letters is on hold', 'See the holds', /ingest$/, 'Release the collection'],
      ['Research is paused', 'See research', /research$/, 'Go on'],
    ] as const
    for (const [says, verb, leadsTo, button] of leads) {
      await page.goto(address)
      await page.locator('.needs li', { hasText: says }).getByRole('link', { name: verb }).click()
      expect(page.url()).toMatch(leadsTo)
      expect(await page.getByRole('button', { name: button, exact: true }).first().isEnabled()).toBe(true)
    }
    await page.goto(address)
    await page
      .locator('.needs li', { hasText: 'museum-2024' })
      .getByRole('link', { name: 'Its history' })
      .click()
    await page.getByRole('heading', { name: 'main/museum-2024.warc.gz' }).waitFor()
    await page.goto(address)
    await expect.poll(() => page.locator('.needs li').count()).toBe(6 + leads.length)
    const since = (await page.evaluate(
      `[...document.querySelectorAll('.needs time')].map((time) => time.dateTime)`,
    )) as readonly string[]
    expect(since).toEqual(since.toSorted())
  })

  it('a record that is stuck leads to its graph', async () => {
    const { home } = useFolder()
    const { close } = await openHome(home)
    await close()
    // It was taken in an hour ago, and no role is here that puts it into a graph.
    const { stream, events } = appended(work(1), 0)
    const db = new DatabaseSync(join(home, 'fonds.db'))
    db.prepare('INSERT INTO streams (id, name, category, revision) VALUES (1, ?, ?, 0)').run(stream, 'work')
    const add = db.prepare(
      'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (1, 0, ?, ?, ?, ?, ?)',
    )
    for (const { id, type, data, metadata } of events)
      add.run(id, type, Date.now() - HOUR, JSON.stringify(data), JSON.stringify(metadata))
    db.close()
    const { address } = await startNode({ home }, '0', ['--roles', 'projections,api'])
    const page = await openTab()
    await page.goto(address)
    await page.getByRole('heading', { name: '1 update accepted and not visible' }).waitFor()
    await page
      .locator('.needs li', { hasText: 'w0000001' })
      .getByRole('link', { name: 'See the graph' })
      .click()
    await page.getByRole('heading', { name: 'w0000001' }).waitFor()
    expect(page.url()).toBe(`${address}/matching/graphs/w0000001`)
  })

  it('shows what ran in the night, each bar and each day in words, and how much needs a person in the rail', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(address)
    const night = page.getByRole('region', { name: /^Since/ })
    await expect.poll(() => night.locator('.bar').count()).toBeGreaterThanOrEqual(5)
    await night.getByText('As a list').click()
    expect(await night.getByRole('row').filter({ hasText: 'Matching' }).textContent()).toContain('14 records')
    const fixity = page.getByRole('img', { name: /^Fixity, 30 days: \d+ checks/ })
    await fixity.focus()
    await page.keyboard.press('ArrowLeft')
    await page.locator('.month output', { hasText: /^Fixity, .*: \d+ checks, \d+ went wrong/ }).waitFor()
    const rail = page.getByRole('navigation', { name: 'Pages', exact: true })
    await rail.getByRole('link', { name: 'Fixity 6 need a person' }).waitFor()
    await page.getByText('Nothing is under way.').waitFor()
    // As of a moment it is of then, and nothing waits any more.
    await page.goto(`${address}/?at=20`)
    await page.locator('.then').waitFor()
    expect(await rail.locator('.count').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Under way' }).count()).toBe(0)
  })

  testOnEachScreen('light', ['/', '/do', '/do/fixity.resolve'])

  it('says of an empty archive that it is idle, and not that it is well', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    await page.goto(address)
    await expect.poll(() => page.locator('.workflow .state.idle').count()).toBe(5)
    expect(await page.locator('.state.well').allTextContents()).toEqual(['Fonds is well'])
    await page.getByRole('heading', { name: 'Nothing is kept here yet' }).waitFor()
    await page.getByText('Nothing waits for anybody.').waitFor()
    // Calm: no picture of what there is none of.
    expect(await page.locator('.night, .month, .rail .count').count()).toBe(0)
  })

  it('says that messages wait and nobody reads them', async () => {
    const { home } = useFolder()
    const first = await startNode({ home })
    first.child.kill('SIGTERM')
    await first.exit
    const { address } = await startNode({ home }, '0', ['--roles', 'projections,api'])
    const { broker } = await openHome(home)
    await broker.produce([{ topic: 'fonds.fixity.content', key: 'k', headers: {}, value: '{' }])()
    const page = await openTab()
    await page.goto(address)
    await page.getByText('1 message waits and nobody reads').waitFor()
  })

  it('says that the server is lost, and is live again by itself when it is back', async () => {
    const { home } = useFolder()
    const first = await startNode({ home })
    const page = await openTab()
    await page.goto(first.address)
    await page.getByText('Live', { exact: true }).waitFor()
    first.child.kill('SIGKILL')
    await first.exit
    await page.getByText('The server is not heard since').waitFor()
    await startNode({ home }, new URL(first.address).port)
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('asks for the token where one is set, and leads back; who may only read is told why buttons are off', async () => {
    const { home } = useFolder()
    const tokens = { FONDS_TOKEN: 'correct horse battery', FONDS_READ_TOKEN: 'only looking at it' }
    const { address } = await startNode({ home, env: tokens })
    const page = await openTab()
    await page.goto(`${address}/do/fixity.check?store=main`)
    await page.getByLabel('The token').fill('only looking at it')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'fixity.check' }).waitFor()
    expect(page.url()).toBe(`${address}/do/fixity.check?store=main`)
    expect(await page.getByLabel(/^store/).inputValue()).toBe('main')
    expect(await page.getByRole('button', { name: 'Do it' }).isDisabled()).toBe(true)
    expect(await page.locator('main .why').textContent()).toBe('This session may only read.')
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByLabel('The token').waitFor()
    await page.goto(address)
    await page.getByLabel('The token').waitFor()
  })
})
