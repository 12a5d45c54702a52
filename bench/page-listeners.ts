import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
 * changes less. `node bench/page-listeners.ts [messages] [pairs]`
 */

const messages = Number(process.argv[2] ?? 40_000)
const pairs = Number(process.argv[3] ?? 5)
const listeners = 50

/** What a page follows, and what a log page that is followed live does. */
const streams = {
  page: '/api/v1/views/log-ends/changes',
  log: '/api/v1/changes',
} as const

type Kind = keyof typeof streams

interface Listener {
  readonly response: Response
  /** Events with data. */
  told: number
  last: bigint
}

const follow = async (listener: Listener): Promise<void> => {
  let rest = ''
  for await (const text of listener.response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = /^id: (\d+)$/m.exec(frame)?.[1]
      if (id === undefined) continue
      listener.last = BigInt(id)
      if (frame.includes('\ndata: ')) listener.told++
    }
  }
}

/** In a process of its own: listens until it is told a position, then says how many events each was told up to there. */
const listenHere = async (address: string, kind: Kind): Promise<void> => {
  const all = await Promise.all(
    Array.from(
      { length: listeners },
      async (): Promise<Listener> => ({
        response: await fetch(`${address}${streams[kind]}`),
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
      if (kind === 'log' ? events < messages : events < 1)
        throw new Error(`a listener was told ${events} events`)
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
    ['log', `${listeners} that follow each event`],
  ] as const) {
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
