import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { scanned } from '../../infra/capture-index/lines.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { start, stop, until, useFolder } from '../run-fonds.ts'

/* W23, W33: an aggregator is killed while it takes files that were made by hand, some of them for the second time. */

const kills = roundsOr(5)
const names = 1200

it('W23, W33 killed at any moment: of each file the last lines are there, once, and nothing is left over', async () => {
  const { chance } = useSeed()
  const { folder, home } = useFolder()
  const root = join(folder, 'index')
  const incoming = join(root, 'incoming')
  mkdirSync(incoming, { recursive: true })
  const aggregate = () => start(['worker', 'aggregator'], { home, env: { FONDS_INDEXING_FOLDER: root } })
  const expected = new Map<string, readonly string[]>()
  let dates = 0
  const count = (path: string) => (existsSync(path) ? readdirSync(path).length : 0)
  const counted = () => ({ incoming: count(incoming), runs: count(join(root, 'runs')) })

  const put = (name: string, text: string) => {
    const draft = join(folder, name)
    writeFileSync(draft, text)
    // Of another date each time, and in the past: it has stood still.
    const date = new Date(Date.now() - 3_600_000 + dates++ * 10)
    utimesSync(draft, date, date)
    renameSync(draft, join(incoming, name))
  }
  const putLines = (name: string) => {
    const pages = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => Math.floor(chance() * 1e9))
    const lines = pages.map(
      (page) => `x 20260101120000 http://example.org/${page} text/html 200 - - - 340 0 ${name}`,
    )
    put(`${name}.cdx`, `${lines.join('\n')}\n`)
    expected.set(
      name,
      pages.map((page) => `org,example)/${page} ${name}`),
    )
  }
  const withdraw = (name: string) => {
    put(`${name}-gone.withdrawn`, `${name}\n`)
    expected.set(name, [])
  }

  for (let n = 0; n < names; n++) putLines(`f${n}`)
  for (let kill = 0; kill < kills; kill++) {
    const aggregator = aggregate()
    const before = counted()
    await until(
      'it takes some',
      () => counted().runs > before.runs + 20 || counted().incoming < before.incoming,
    )
    await new Promise((resolve) => setTimeout(resolve, chance() * 1500))
    aggregator.child.kill('SIGKILL')
    await aggregator.exit
    for (let i = 0; i < 200; i++) putLines(`f${Math.floor(chance() * names)}`)
    for (let i = 0; i < 20; i++) withdraw(`f${Math.floor(chance() * names)}`)
  }
  const last = aggregate()
  await until('all are taken', () => count(incoming) === 0)
  expect(await stop(last)).toBe(0)

  const index = openCaptureIndex(join(root, 'runs'))
  onTestFinished(() => index.close())
  const found = (await scanned(index)).map(
    (line) => `${line.slice(0, line.indexOf(' '))} ${line.split(' ').at(-1)}`,
  )
  expect(found.sort()).toEqual([...expected.values()].flat().sort())
  expect(last.stderr()).not.toMatch(/putting it aside|the index refused/)
})
