import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { type Given, launch, launchBeyondTests, useFolder } from '../../e2e/run-fonds.ts'
import { patience } from '../../patience.ts'
import { server } from '../servers.ts'
import { makeImageFiles } from './image-files.ts'
import { once } from './once.ts'

/* The page in a real browser, served by a real node that runs what the container image holds. */

const found = server('chromium')

export const browserIsAbsent = 'absent' in found

let browser: Browser | undefined

/** Of all files of a run: they make the image and the demo's archive once. */
const pages = inject('pages')
const image = join(pages, 'image')
const demoHome = join(pages, 'demo')

/** A browser and the image's files for all tests of a file. */
export const useImage = (): void => {
  beforeAll(async () => {
    if ('absent' in found) return
    await once(image, makeImageFiles)
    browser = await chromium.launch({ executablePath: found.address, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await endShared?.()
  })
}

let endShared: (() => Promise<void>) | undefined
let shared: Promise<string> | undefined

/** The program in the image. */
const program = (): string => join(image, 'bin/fonds')

export const startNode = async ({ home, env = {} }: Given, port = '0', args: readonly string[] = []) => {
  const server = launch(program(), ['--home', home, 'start', '--port', port, ...args], env)
  const [, address = ''] = await server.says(/Fonds is at (http\S+)/)
  return { ...server, address }
}

/** A node on a demo's archive of its own. */
export const startDemo = async (args: readonly string[] = []) => {
  const { home } = useFolder()
  await copyDemo(home)
  return { ...(await startNode({ home }, '0', args)), home }
}

/** The address of a node on a demo's archive that all tests of the file share: they change nothing. */
export const sharedDemo = (): Promise<string> => {
  shared ??= startShared()
  return shared
}

const startShared = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fonds-page-'))
  const home = join(folder, 'home')
  await copyDemo(home)
  const server = launchBeyondTests(program(), ['--home', home, 'start', '--port', '0'])
  endShared = async () => {
    await server.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  const [, address = ''] = await server.says(/Fonds is at (http\S+)/)
  return address
}

const copyDemo = async (home: string): Promise<void> => {
  await once(demoHome, async (folder) => {
    const demo = launch(program(), ['--home', folder, 'demo'])
    expect(await demo.exit, demo.stderr()).toBe(0)
  })
  await cp(join(demoHome, 'demo'), home, { recursive: true })
}

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

/** A tab. The test fails on any breach of the page's policy, and on any error that nobody caught. */
export const openTab = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser!.newContext(options)
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.text().startsWith(breach)) faults.push(message.text())
  })
  // As text: types of a browser's things are not known here.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (breach) =>
    console.error('${breach}', breach.violatedDirective, breach.blockedURI))`)
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  return page
}

const breach = 'policy breached:'

/** What axe-core finds wrong with the page as it stands, a line each. */
export const barriersIn = async (page: Page): Promise<readonly string[]> => {
  // Through the protocol: the page's policy takes no script that is not its own.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    readonly violations: readonly {
      readonly id: string
      readonly nodes: readonly { readonly html: string }[]
    }[]
  }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

const isShown = async (page: Page): Promise<void> => {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.locator('.waiting').count()).toBe(0)
}

/**
 * On the screen of a phone and a desk: on the demo's archive axe-core finds nothing wrong with these addresses. On these and on a wall,
 * which is laid out as a desk is, nothing is wider than the screen. `shown` waits until an address shows what it is for.
 */
export const testOnEachScreen = (
  phone: 'dark' | 'light',
  paths: readonly string[],
  shown: (page: Page) => Promise<void> = isShown,
): void => {
  const desk = phone === 'dark' ? 'light' : 'dark'
  it('has no barrier and needs no scrolling sideways on a phone, a desk and a wall, light and dark', async () => {
    const address = await sharedDemo()
    const wrong: string[] = []
    const expectFits = async (page: Page, where: string) => {
      const sideways = await sidewaysIn(page)
      if (sideways > 0) wrong.push(`${where}: ${sideways} pixels wider than the screen`)
    }
    for (const { width, height, colorScheme } of [
      { width: 360, height: 740, colorScheme: phone },
      { width: 1280, height: 800, colorScheme: desk },
    ] as const) {
      const viewport = { width, height }
      const page = await openTab({ viewport, colorScheme })
      for (const path of paths) {
        const where = `${path} at ${width} × ${height}, ${colorScheme}`
        await page.setViewportSize(viewport)
        await page.goto(address + path)
        await shown(page)
        wrong.push(...(await barriersIn(page)).map((barrier) => `${where}: ${barrier}`))
        await expectFits(page, where)
        if (colorScheme === phone) continue
        // Whoever moves the window to a wall loads nothing anew.
        await page.setViewportSize({ width: 3840, height: 2160 })
        await shown(page)
        await expectFits(page, `${path} on a wall`)
      }
    }
    // All of them at once: whoever mends one sees the others.
    expect(wrong).toEqual([])
  })
}

/** Pixels that the page is wider than the screen. */
export const sidewaysIn = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Of all files in a folder, however deep. */
export const bytesBelow = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    : 0
