import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import type { ChangeItem } from '#src/projections/indexing/changes/change-page.ts'
import { scanned, sortedUnique } from '../../infra/capture-index/lines.ts'
import { applyItem, type Secondary } from '../../projections/indexing/changes/secondary.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { startServer, until, useFolder } from '../run-fonds.ts'

const rounds = roundsOr(3)

const lineOf = (n: number) =>
  `org,example)/${n} 20260131120000 http://example.org/${n} text/html 200 D - - 9 ${n} f-${n % 90}.warc.gz`

it('C7, C12, C15 the server is killed at any moment: what was answered holds, and a secondary comes to the same', async () => {
  const { chance } = useSeed()
  const { home } = useFolder()
  const env = { FONDS_INDEXING_AGGREGATE_SECONDS: '1' }
  const secondary: Secondary = { lines: new Set(), since: undefined }
  const held = new Set<number>()
  let server = await startServer({ home, env })

  /** Undefined where the server was killed meanwhile. */
  const ask = async (path: string, body?: string): Promise<string | undefined> => {
    try {
      const asked = await fetch(
        `${server.address}${path}`,
        body === undefined ? {} : { method: 'POST', body },
      )
      const text = await asked.text()
      if (!asked.ok) throw new Error(`${asked.status} ${text}`)
      return text
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
  /** Again until it is answered, as clients do: of a post that was broken off nobody knows whether it is kept. */
  const post = async (path: string, numbers: readonly number[]) => {
    const body = numbers.map((n) => `${lineOf(n)}\n`).join('')
    await until('the post is answered', () => ask(`${path}?wait=false`, body))
    for (const n of numbers) path === '/cdx' ? held.add(n) : held.delete(n)
  }
  const follow = async (): Promise<boolean> => {
    const since = secondary.since === undefined ? '' : `&since=${secondary.since}`
    const text = await ask(`/cdx/changes?size=40${since}`)
    if (text === undefined) return false
    const items = text
      .trim()
      .split('\n')
      .map((line): ChangeItem & { next?: string; more?: boolean } => JSON.parse(line))
    const last = items.pop()
    for (const item of items) applyItem(secondary, item)
    // It is killed before it keeps where to go on.
    if (chance() < 0.3) return false
    secondary.since = last?.next
    return last?.more === false
  }

  for (let round = 0; round < rounds; round++) {
    let isOver = false
    const working = (async () => {
      while (!isOver) {
        const numbers = Array.from({ length: 1 + Math.floor(chance() * 60) }, () =>
          Math.floor(chance() * 400),
        )
        await post(chance() < 0.7 ? '/cdx' : '/cdx/delete', numbers)
        await follow()
      }
    })()
    await new Promise((resolve) => setTimeout(resolve, 500 + chance() * 3000))
    server.child.kill('SIGKILL')
    await server.exit
    server = await startServer({ home, env })
    isOver = true
    await working
  }
  const wanted = sortedUnique([...held].map(lineOf))
  const index = openCaptureIndex(join(home, 'index/runs'))
  onTestFinished(() => index.close())
  await until('the index has what was answered', async () => (await scanned(index)).join() === wanted.join())
  await until(
    'the secondary has it',
    async () => (await follow()) && sortedUnique(secondary.lines).join() === wanted.join(),
  )
  expect(sortedUnique(secondary.lines)).toEqual(wanted)
})
