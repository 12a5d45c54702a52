import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../infra/sqlite/database.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { categoryOf, type NewEvent } from '../src/domain/kernel/event.ts'
import {
  appended,
  archiveFile,
  batchOf,
  content,
  contentOfOneFolder,
  episode,
  job,
  work,
} from '../test/e2e/many-things.ts'
import { benchSystem, openHome } from './system.ts'

/* Homes of any size, each with a node that answers its pages. */

interface Appended {
  readonly stream: string
  readonly events: readonly NewEvent[]
}

/** The log is filled by plain statements: how fast it is filled is another benchmark's question. */
const fill = (home: string, items: number, others: number): void => {
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

export interface PageNode {
  readonly address: string
  /** Milliseconds of the processor that it has taken: while others have it too, these say more than a clock. */
  processor(): number
  stop(): Promise<void>
}

const startNode = async (home: string): Promise<PageNode> => {
  const fonds = join(import.meta.dirname, '../bin/fonds')
  const args = ['start', '--home', home, '--port', '0', '--roles', 'projections,api']
  const child = spawn(fonds, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /Fonds is at (http\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stderr.resume()
    return {
      address,
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

/** `items`: of content in folders of 200, and as many in one folder; `others`: of each other kind. */
export const startHome = async (items: number, others: number, keptHome?: string): Promise<PageNode> => {
  const { home, dispose } = await filledHome(items, others, keptHome)
  const node = await startNode(home)
  while ((await behind(node)) > 0) await setTimeout(1000)
  return {
    ...node,
    stop: async () => {
      await node.stop()
      await dispose()
    },
  }
}

const filledHome = async (items: number, others: number, keptHome: string | undefined) => {
  if (keptHome !== undefined && existsSync(join(keptHome, 'fonds.db')))
    return { home: keptHome, dispose: async () => undefined }
  const { system, home, dispose } = keptHome === undefined ? await benchSystem() : await newHome(keptHome)
  await ensureTopics(system)
  if (items + others > 0) fill(home, items, others)
  return { home, dispose }
}

const newHome = async (home: string) => {
  const system = await openHome(home)
  return { system, home, dispose: () => system.close() }
}

/** Events that are not folded yet, of all projections; 1 while none is known. */
const behind = async ({ address }: PageNode): Promise<number> => {
  const answer = await fetch(`${address}/api/v1/projections`).catch(() => undefined)
  if (!answer?.ok) return 1
  const { projections } = (await answer.json()) as { projections: readonly { lag: string }[] }
  return projections.reduce((sum, { lag }) => sum + Number(lag), 0)
}
