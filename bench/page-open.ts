import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openDatabase } from '../infra/sqlite/database.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { categoryOf, type NewEvent } from '../src/domain/kernel/event.ts'
import {
  appended,
  archiveFile,
  batchOf,
  batchPage,
  content,
  contentOfOneFolder,
  episode,
  job,
  work,
} from '../test/e2e/many-things.ts'
import { benchSystem, openHome } from './system.ts'
import { median } from './table.ts'

/*
 * Pages of a large archive in a real browser: how long until each shows its numbers, what its questions cost the server, and how soon a
 * long list shows a row far away. `node bench/page-open.ts [items] [others] [home]`: content items in folders of 200, and as many in one
 * folder; jobs, works, archive files and episodes; a folder that is filled and kept, or was by an earlier run: then it is read as it is.
 */

const items = Number(process.argv[2] ?? 1_000_000)
const others = Number(process.argv[3] ?? 100_000)
const keptHome = process.argv[4]
const rounds = 5

const maxOpenMillis = 1000
const maxJumpMillis = 300
const maxRows = 200

const pages = [
  ...[
    '/',
    '/fixity',
    '/fixity/folders?store=archive',
    '/fixity/folders?store=archive&prefix=folder-00001%2F',
    '/fixity/folders?store=shelf&prefix=all%2F',
  ],
  ...['/indexing', '/indexing/files', '/matching', '/matching/attention', '/research', '/research/episodes'],
  ...['/ingest', batchPage, '/log', '/log/topics', '/log/projections'],
]

interface Appended {
  readonly stream: string
  readonly events: readonly NewEvent[]
}

/** The log is filled by plain statements: how fast it is filled is another benchmark's question. */
const fill = (home: string): void => {
  const { writer } = openDatabase(join(home, 'fonds.db'))
  const addStream = writer.prepare('INSERT INTO streams (id, name, category, revision) VALUES (?, ?, ?, ?)')
  const addEvent = writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  let streams = 0
  const add = ({ stream, events }: Appended) => {
    addStream.run(++streams, stream, categoryOf(stream), events.length - 1)
    for (const [revision, { id, type, data, metadata }] of events.entries())
      addEvent.run(streams, revision, id, type, Date.now(), JSON.stringify(data), JSON.stringify(metadata))
  }
  let n = 0
  writer.exec('BEGIN')
  for (const made of [content, contentOfOneFolder])
    for (let i = 0; i < items; i++) add(appended(made(i), n++))
  add(batchOf(others))
  for (let i = 1; i <= others; i++)
    for (const made of [job, work, archiveFile, episode]) add(appended(made(i), n++))
  writer.exec('COMMIT')
  writer.close()
}

const startNode = async (home: string) => {
  const fonds = join(import.meta.dirname, '../bin/fonds')
  const args = ['start', '--home', home, '--port', '0', '--roles', 'projections,api']
  const child = spawn(fonds, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /Fonds is at (http\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stderr.resume()
    return {
      address,
      /** Milliseconds of the processor that it has taken: while others have it too, these say more than a clock. */
      processor: () => processorOf(child.pid as number),
      stop: async () => {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      },
    }
  }
  throw new Error('the node did not start')
}

const tickMillis = 10

/** Of all its threads, by Linux's count. */
const processorOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, kernel] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number]
  return (user + kernel) * tickMillis
}

/** The page's policy takes no script that is not its own, and what watches it is none. */
const watched = { bypassCSP: true }

/** Runs in the page: notes tasks over 50 ms, and when a jump was asked for. */
const observed = `(() => {
  globalThis.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  document.addEventListener('submit', () => { globalThis.jumpedAt = performance.now() }, true)
})()`
/** When its heading and its numbers are there: milliseconds since it was opened. */
const isUsable = `document.querySelector('h1') !== null && document.querySelector('.waiting') === null &&
  !document.body.textContent.includes('asking …') && performance.now()`

interface Opened {
  readonly millis: number
  readonly longTasks: readonly number[]
  readonly asked: readonly string[]
  readonly troubles: number
  readonly rows: number
}

const open = async (browser: Browser, address: string): Promise<Opened> => {
  const context = await browser.newContext(watched)
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.addInitScript(observed)
  await page.goto(address)
  const usable = await page.waitForFunction(isUsable, undefined, { timeout: 60_000 })
  const opened = {
    millis: (await usable.jsonValue()) as number,
    longTasks: (await page.evaluate('longTasks')) as readonly number[],
    asked: asked.filter((one) => /\/(api|readyz)/.test(one) && !one.endsWith('/changes')),
    troubles: await page.locator('.trouble').count(),
    rows: await page.locator('tr').count(),
  }
  await context.close()
  return opened
}

/**
 * Of each list on the page that has a field for it: milliseconds until a row in its middle is shown, those of the server's processor, and
 * how many rows are drawn.
 */
const jumpIn = async (page: Page, processor: () => number): Promise<readonly string[]> => {
  const told: string[] = []
  for (const form of await page.locator('form:has(button:text-is("Go there"))').all()) {
    const field = form.locator('input')
    const row = Math.floor(Number(await field.getAttribute('max')) / 2)
    await field.fill(String(row))
    const took: number[] = []
    let server = 0
    for (let i = 0; i < rounds; i++) {
      // Elsewhere first: neither its rows nor those beside them are there.
      await field.fill(String(1 + i))
      await form.locator('button').click()
      await setTimeout(1000)
      await field.fill(String(row + i))
      const shown = page.waitForFunction(
        `(() => {
          const row = document.querySelector('[aria-rowindex="${row + i + 1}"]')
          const isDrawn = row !== null && row.querySelector('.waiting') === null
          const isPaged = [...document.querySelectorAll('.pager [role="status"]')]
            .some(({ textContent }) => textContent.startsWith('${(row + i).toLocaleString('en-US')} to '))
          return (isDrawn || isPaged) && performance.now() - globalThis.jumpedAt
        })()`,
        undefined,
        { timeout: 60_000 },
      )
      const before = processor()
      await form.locator('button').click()
      took.push((await (await shown).jsonValue()) as number)
      server += processor() - before
    }
    const rows = await page.locator('tr').count()
    const millis = median(took)
    told.push(
      `row ${row.toLocaleString('en')} after ${millis.toFixed(0)} ms, server ${(server / rounds).toFixed(0)} ms of processor, ${rows} rows drawn: ` +
        (millis < maxJumpMillis && rows < maxRows ? 'kept' : 'MISSED'),
    )
  }
  return told
}

const filledHome = async (): Promise<{ readonly home: string; readonly dispose: () => Promise<void> }> => {
  if (keptHome !== undefined && existsSync(join(keptHome, 'fonds.db')))
    return { home: keptHome, dispose: async () => undefined }
  const { system, home, dispose } = keptHome === undefined ? await benchSystem() : await newHome(keptHome)
  await ensureTopics(system)
  fill(home)
  return { home, dispose }
}

const newHome = async (home: string) => {
  const system = await openHome(home)
  return { system, home, dispose: () => system.close() }
}

const { home, dispose } = await filledHome()
const node = await startNode(home)
const behind = async (): Promise<number> => {
  const answer = await fetch(`${node.address}/api/v1/projections`).catch(() => undefined)
  if (!answer?.ok) return 1
  const { projections } = (await answer.json()) as { projections: readonly { lag: string }[] }
  return projections.reduce((sum, { lag }) => sum + Number(lag), 0)
}
const began = performance.now()
while ((await behind()) > 0) await setTimeout(1000)
console.log(
  `${(2 * items + 4 * others).toLocaleString('en')} things folded in ${((performance.now() - began) / 1000).toFixed(0)} s`,
)

const browser = await chromium.launch({
  executablePath: process.env.FONDS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const asked = new Set<string>()
console.log(
  '\nuntil a page shows its numbers (median of 5), the server’s processor, tasks of the page over 50 ms',
)
for (const path of pages) {
  const opened: Opened[] = []
  const before = node.processor()
  for (let i = 0; i < rounds; i++) opened.push(await open(browser, node.address + path))
  for (const one of opened) for (const question of one.asked) asked.add(question)
  const millis = median(opened.map((one) => one.millis))
  const long = opened.flatMap(({ longTasks }) => longTasks)
  const { troubles, rows } = opened.at(-1) as Opened
  const server = (node.processor() - before) / rounds
  console.log(
    `${path.padEnd(60)} ${millis.toFixed(0).padStart(6)} ms ${millis < maxOpenMillis ? 'kept' : 'MISSED'}` +
      `  server ${server.toFixed(0)} ms of processor, ${(long.length / rounds).toFixed(1)} long tasks of ${Math.max(0, ...long).toFixed(0)} ms at most, ${rows} rows` +
      (troubles > 0 ? `, ${troubles} TROUBLES` : ''),
  )
}
console.log(
  '\nwhat a question costs (median of 5, one after the other; the server’s processor), those over 10 ms',
)
const costs: { readonly question: string; readonly millis: number; readonly processor: number }[] = []
for (const question of asked) {
  const took: number[] = []
  const before = node.processor()
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await (await fetch(question)).arrayBuffer()
    took.push(performance.now() - start)
  }
  costs.push({
    question: decodeURIComponent(question.slice(node.address.length)),
    millis: median(took),
    processor: (node.processor() - before) / rounds,
  })
}
for (const { question, millis, processor } of costs
  .filter(({ millis, processor }) => Math.max(millis, processor) > 10)
  .sort((a, b) => b.processor - a.processor))
  console.log(
    `${millis.toFixed(1).padStart(9)} ms ${processor.toFixed(0).padStart(7)} ms of processor  ${question}`,
  )
console.log('\na jump into the middle of a list (median of 5)')
for (const path of pages) {
  const page = await browser.newPage(watched)
  await page.addInitScript(observed)
  await page.goto(node.address + path)
  await page.waitForFunction(isUsable, undefined, { timeout: 60_000 })
  for (const told of await jumpIn(page, node.processor)) console.log(`${path.padEnd(60)} ${told}`)
  await page.close()
}
await browser.close()
await node.stop()
await dispose()
