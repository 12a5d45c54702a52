import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { appended, batchOf, batchPage, content, episode, job, work } from '../../e2e/many-things.ts'
import { openHome } from '../../e2e/open-home.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import { browserIsAbsent, openTab, startDemo, startNode, useImage } from './browser.ts'

/*
 * What a page may cost: bytes and numbers, which are the same on any machine. Times are for bench/. No role writes here: the log stands
 * still, and no question is asked again because of it.
 */

useImage()

const paths = [
  ...['/', '/fixity', '/fixity/folders?store=archive', '/indexing', '/indexing/files', '/indexing/holdings'],
  ...['/matching', '/matching/graphs/herbal', '/matching/attention', '/research', '/research/episodes'],
  ...[
    '/research/episodes/episode-2',
    '/ingest',
    '/log',
    '/log/topics',
    '/log/projections',
    '/log/nodes',
    '/proofs',
  ],
]

const maxBytes = { script: 65_000, css: 20_000 }
/** Those of the page's own files, and questions: however often asked, each counts once. */
const maxFiles = 10
const maxQuestions = 26
const maxRows = 200

/** More than a page lists, by far; bench/page-open.ts has a million. */
const many = 20_000
const manyPaths = [
  ...['/', '/research', '/research/episodes', '/ingest', batchPage, `/ingest/jobs/${many - 1}`],
  ...['/matching', '/matching?q=plate', '/matching/attention', '/ingest/batches'],
  ...['/fixity/folders?store=archive', '/fixity/folders?store=archive&prefix=folder-00001%2F'],
]

const readingRoles = ['--roles', 'projections,api']

interface Loaded {
  readonly name: string
  readonly encodedBodySize: number
}

const isStream = (address: string): boolean => new URL(address).pathname.endsWith('/changes')

/** Opens an address, and waits until all that it asks is answered: what was asked. */
const askedBy = async (page: Page, address: string): Promise<ReadonlySet<string>> => {
  const asked = new Set<string>()
  let unanswered = 0
  page.on('request', (request) => {
    asked.add(request.url())
    if (!isStream(request.url())) unanswered++
  })
  const answered = (request: Request) => {
    if (!isStream(request.url())) unanswered--
  }
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  await page.goto(address)
  await page.locator('h1').waitFor()
  const waits = page.locator('.waiting').or(page.getByText('asking …'))
  // An answer may lead to another question: twice there is nothing new.
  let before = 0
  const isSettled = async () => {
    const isStill = unanswered === 0 && asked.size === before && (await waits.count()) === 0
    before = asked.size
    return isStill
  }
  await expect.poll(isSettled, { interval: 300 }).toBe(true)
  return asked
}

describe.skipIf(browserIsAbsent)('a page that is opened', () => {
  it('loads few bytes of script and style, asks little, and draws few rows', async () => {
    const { address } = await startDemo(readingRoles)
    for (const path of paths) {
      // A tab of its own: nothing is there already.
      const page = await openTab()
      const asked = [...(await askedBy(page, address + path))]
      const questions = asked.filter((one) => /^\/(api|session|readyz)/.test(new URL(one).pathname))
      const loaded = (await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
      )) as readonly Loaded[]
      const bytesOf = (ending: string) =>
        loaded
          .filter(({ name }) => new URL(name).pathname.endsWith(ending))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      expect(bytesOf('.js'), path).toBeGreaterThan(0)
      expect(bytesOf('.js'), path).toBeLessThan(maxBytes.script)
      expect(bytesOf('.css'), path).toBeLessThan(maxBytes.css)
      expect(questions.length, [path, ...questions].join('\n')).toBeLessThanOrEqual(maxQuestions)
      expect(asked.length - questions.length, [path, ...asked].join('\n')).toBeLessThanOrEqual(maxFiles)
      expect(
        asked.filter((one) => !one.startsWith(address)),
        path,
      ).toEqual([])
      expect(await page.locator('tr').count(), path).toBeLessThan(maxRows)
      await page.context().close()
    }
  })

  it('answers with 20,000 episodes, jobs, works and items known, and draws few of them; each is gone to', async () => {
    const { home } = useFolder()
    const { eventStore } = await openHome(home)
    const append = async (made: (n: number) => Parameters<typeof appended>[0], first: number) => {
      for (let i = 0; i < many; i += 1000)
        await eventStore.appendEach!(
          Array.from({ length: 1000 }, (_, k) => appended(made(i + k + 1), first + i + k)),
        )()
    }
    await eventStore.appendEach!([batchOf(many)])()
    for (const [i, made] of [episode, job, work, content].entries()) await append(made, i * many)
    const { address } = await startNode({ home }, '0', readingRoles)
    const counted = async <Body>(path: string, of: (body: Body) => number | undefined) => {
      const answer = await fetch(`${address}/api/v1/${path}`)
      return answer.ok ? of((await answer.json()) as Body) : undefined
    }
    const known = async () => [
      await counted('research/progress', ({ episodes }: { episodes: number }) => episodes),
      await counted('ingest/summary', ({ summary }: { summary: { jobs: number }[] }) => summary[0]?.jobs),
      await counted('matching/summary', ({ works }: { works: { visible: number } }) => works.visible),
      await counted(
        'fixity/folders?store=archive',
        ({ counts }: { counts: { expected: number } }) => counts.expected,
      ),
    ]
    await expect.poll(known, { interval: 1000 }).toEqual([many, many, many, many])
    const page = await openTab()
    for (const path of manyPaths) {
      await page.goto(address + path)
      await page.locator('h1').waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      expect(await page.locator('.trouble').count(), path).toBe(0)
      expect(await page.locator('tr').count(), path).toBeLessThan(maxRows)
    }
    const goTo = async (path: string, list: string, row: number, shown: string) => {
      await page.goto(address + path)
      await page.getByRole('region', { name: list }).waitFor()
      await page.getByLabel('Row, of 20,000').first().fill(String(row))
      await page.getByRole('button', { name: 'Go there' }).first().click()
      await page.getByText(shown).first().waitFor()
      expect(await page.locator('tr').count(), path).toBeLessThan(maxRows)
    }
    await goTo(batchPage, 'Its jobs', many / 2, `Letter ${many / 2}`)
    // In the order of their ids, as texts.
    await goTo('/research/episodes', 'Episodes, as they are handed out', many, 'Episode 9999')
    await page.goto(`${address}/fixity/folders?store=archive`)
    const pager = page.getByRole('navigation', { name: 'Pages of: Folders' })
    await pager.getByText('1 to 50 of 101').waitFor()
    await pager.getByRole('button', { name: 'Next' }).click()
    await pager.getByText('51 to 100 of 101').waitFor()
    await pager.getByLabel('Row, of 101').fill('101')
    await pager.getByRole('button', { name: 'Go there' }).click()
    await pager.getByText('101 to 101 of 101').waitFor()
    expect(await pager.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    const shows = async (path: string, text: string) => {
      await page.goto(address + path)
      await page.getByText(text).first().waitFor()
    }
    await shows(`/research/episodes/e${many - 1}`, `Episode ${many - 1}`)
    await shows(`/ingest/jobs/${many - 1}`, `Letter ${many - 1}`)
    await shows(`/matching?q=w00${many - 1}`, `Plate ${many - 1} of a herbal`)
    await shows(`/matching/graphs/w00${many - 1}`, `w00${many - 1}`)
  })
})
