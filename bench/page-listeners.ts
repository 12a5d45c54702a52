import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { ensureTopics } from '../src/app/topics.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { openHome } from './system.ts'
import { interleaved, median, medianRatio, printTable } from './table.ts'

/*
 * What people who look on cost the work: messages a second from topic to view through a node that 50 listeners of another
 * process follow, beside the same node alone, in pairs; and the processor time of the node for each message, which other work on the machine
 * changes less. `node bench/page-listeners.ts [messages] [pairs] [kind]`
 */

const messages = Number(process.argv[2] ?? 40_000)
const pairs = Number(process.argv[3] ?? 5)
const chosen = process.argv[4]
const listeners = 50

/** What each page follows, what a log page does that is followed live, and what a program does that wants each event. */
const streams = {
  page: '/api/v1/views/log-ends/changes',
  newest: '/api/v1/changes?newest=100',
  all: '/api/v1/changes',
} as const

type Kind = keyof typeof streams

interface Listener {
  readonly response: IncomingMessage
  /** Events with data; those that were left out before the newest count. */
  told: number
  last: bigint
}

const end = Buffer.from('\n\n')
const data = Buffer.from('\ndata: ')
const leftOut = Buffer.from('event: left-out\n')

/** Counts alone: what programs do with what they are told is their own. */
const follow = async (listener: Listener): Promise<void> => {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const bytes of listener.response as AsyncIterable<Buffer>) {
    const all = Buffer.concat([rest, bytes])
    const whole = all.lastIndexOf(end) + end.length
    if (whole < end.length) {
      rest = all
      continue
    }
    rest = all.subarray(whole)
    const frames = all.subarray(0, whole)
    for (let at = frames.indexOf(data); at >= 0; at = frames.indexOf(data, at + 1)) listener.told++
    for (let at = frames.indexOf(leftOut); at >= 0; at = frames.indexOf(leftOut, at + 1))
      listener.told += Number(/"events":(\d+)/.exec(frames.toString('latin1', at, at + 200))?.[1]) - 1
    const id = frames.lastIndexOf('id: ')
    if (id >= 0) listener.last = BigInt(/^id: (\d+)/.exec(frames.toString('latin1', id, id + 30))?.[1] ?? -1)
  }
}

/** In a process of its own: listens until it is told a position, then says how many events each was told up to there. */
const listenHere = async (address: string, kind: Kind): Promise<void> => {
  const all = await Promise.all(
    Array.from(
      { length: listeners },
      async (): Promise<Listener> => ({
        response: ((await once(get(`${address}${streams[kind]}`), 'response')) as [IncomingMessage])[0],
        told: 0,
        last: -1n,
      }),
    ),
  )
  for (const one of all) void follow(one).catch(() => {})
  process.send?.('listening')
  const [position] = (await once(process, 'message')) as [string]
  while (all.some(({ last }) => last < BigInt(position))) await setTimeout(20)
  process.send?.(all.map(({ told }) => told))
  process.disconnect()
}

const fonds = join(import.meta.dirname, '../bin/fonds')

const startNode = async (home: string) => {
  const child = spawn(fonds, ['start', '--home', home, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let address: string | undefined
  for await (const line of createInterface({ input: child.stderr })) {
    address = /Fonds is at (http\S+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  if (address === undefined) throw new Error('the node did not start')
  child.stderr.resume()
  return {
    address,
    /** Milliseconds of processor since it began. */
    cpu: () => cpuOf(child.pid as number),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** User and system time, in hundredths of a second, are fields 14 and 15; the name before them may hold spaces. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const checksums = [
  { algorithm: 'sha-256', value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
]

interface Intake {
  /** Messages a second. */
  readonly rate: number
  /** Messages for each second of the node's processor. */
  readonly perCpu: number
}

/** Messages into a node, while others listen or nobody does, until the view shows all. */
const intake = async (kind?: Kind): Promise<Intake> => {
  const home = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
  const system = await openHome(home)
  await ensureTopics(system)
  const node = await startNode(home)
  const child = kind && fork(import.meta.filename, ['listen', node.address, kind])
  if (child) await once(child, 'message')
  const [start, cpu] = [performance.now(), node.cpu()]
  for (let i = 0; i < messages; i += 500) {
    const reports = Array.from({ length: 500 }, (_, j) => ({
      type: 'content.recorded',
      data: { store: 'bench', path: `folder-${i}/file-${j}.tif`, size: 12345, checksums },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', reports)
  }
  const shown = () =>
    (system.viewStore.tally('fixity-items', { by: [] })[0]?.count as number | undefined) ?? 0
  while (shown() < messages) await setTimeout(20)
  const took = (performance.now() - start) / 1000
  const worked = (node.cpu() - cpu) / 1000
  if (child) {
    const newest = await orThrow(system.eventStore.readBack('end', 100))
    const last = newest.find(({ type }) => type === 'ContentRecorded')
    child.send(String(last?.position))
    const [told] = (await once(child, 'message')) as [readonly number[]]
    for (const events of told)
      if (events < (kind === 'page' ? 1 : messages)) throw new Error(`a listener was told ${events} events`)
  }
  await system.close()
  await node.stop()
  rmSync(home, { recursive: true, force: true })
  return { rate: messages / took, perCpu: messages / worked }
}

if (process.argv[2] === 'listen') {
  await listenHere(process.argv[3]!, process.argv[4] as Kind)
} else {
  const lines = []
  for (const [kind, what] of [
    ['page', `${listeners} open pages`],
    ['newest', `${listeners} log pages followed live`],
    ['all', `${listeners} that follow each event`],
  ] as const) {
    if (chosen !== undefined && chosen !== kind) continue
    const [alone, listened] = await interleaved(
      pairs + 1,
      () => intake(),
      () => intake(kind),
    )
    for (const [of, unit] of [
      ['rate', '/s'],
      ['perCpu', '/s of processor'],
    ] as const) {
      const [ours, theirs] = [listened!.slice(1), alone!.slice(1)].map((all) => all.map((one) => one[of]))
      lines.push({
        what,
        ours: median(ours!),
        beside: 'nobody listens',
        theirs: median(theirs!),
        unit,
        ratio: medianRatio(ours!, theirs!),
        promise: 0.9,
      })
    }
  }
  printTable('messages from topic to view', lines)
}
