import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ensureTopics } from '../../src/app/topics.ts'
import { sideBySide } from '../../src/async/side-by-side.ts'
import { contentTopic } from '../../src/domain/fixity/messages.ts'
import { testSystem } from '../app/archive.ts'
import { run, start, startServer, stop, until, useFolder } from '../e2e/run-fonds.ts'
import { limits, patience } from '../patience.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const broker = 'absent' in kafka ? '' : `kafka://${kafka.address}`

/** A group with a member that comes past nothing, on every partition of a topic. */
const waiting = async () => {
  const topicPrefix = `${uuid()}-`
  const system = await testSystem({ broker, topicPrefix })
  await ensureTopics(system)
  const refused = new Set<number>()
  const consumption = await system.broker.consume(
    { group: 'readers', topics: [contentTopic.name] },
    async ({ partition }) => {
      refused.add(partition)
      throw new Error('never')
    },
  )
  onTestFinished(() => consumption.stop())
  const records = Array.from({ length: 40 }, (_, n) => ({
    topic: contentTopic.name,
    key: `k-${n}`,
    headers: {},
    value: '{',
  }))
  await system.broker.produce(records)()
  await vi.waitUntil(() => refused.size > 1, patience)
  return { FONDS_BROKER: broker, FONDS_TOPIC_PREFIX: topicPrefix, FONDS_PORT: '0' }
}

/** By their first word: one of each command, with more where they do it in another way. */
const commands: readonly (readonly string[])[] = [
  ['doctor'],
  ['topics'],
  ['consume', contentTopic.name],
  ['produce', contentTopic.name],
  ['do'],
  ['do', 'system.end-lease', '--actor', 'ada', '--reason', 'a test', 'lease=relay'],
  ['dead-letters', 'list'],
  ['rebuild', '--all'],
  ['backup', 'copies'],
  ['migrate', '--to', 'sqlite:copy.db'],
  ['query', 'dead-letters'],
  ['diff', 'dead-letters', '--from', '2026-01-01'],
  ['events'],
  ['find', 'nothing'],
  ['history', 'nothing'],
  ['premis', 'nothing'],
  ['proof', 'key'],
  ['schema'],
  ['settings', 'list'],
  ['storage', 'policy', 's3://archive/masters'],
  ['completion', 'bash'],
  ['help'],
  ['people', 'list'],
  ['retention', 'list'],
  ['chain', 'objects'],
  ['dossier', 'nothing'],
  ['fixity', 'report'],
  ['ingest', 'batches'],
  ['indexing', 'run'],
  ['matching', 'verify'],
  ['research', 'next'],
]
/** These stay until they are stopped; the demo has a home and a broker of its own. */
const others = ['start', 'worker', 'demo']

describe.skipIf('absent' in kafka)(
  'commands on Kafka, while a group with a member has something waiting',
  () => {
    it('end: every one of them', limits, async () => {
      const env = await waiting()
      const { home, folder } = useFolder()
      const help = await run(['--help'], { home })
      const known = [...help.stdout.split('Start:')[1]!.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(
        ([, name]) => name,
      )
      expect(
        known.filter((name) => ![...commands.map(([first]) => first), ...others].includes(name!)),
      ).toEqual([])

      const ended: string[] = []
      await sideBySide(commands, 3, async (args) => {
        const placed = args.map((word) =>
          word === 'copies' ? join(folder, word) : word.replace(':copy', `:${folder}/copy`),
        )
        const started = start(placed, { home, env })
        const code = await started.exit
        ended.push(args.join(' '))
        expect([0, 1, 2], `${args.join(' ')} ended with ${code}:\n${started.stderr()}`).toContain(code)
      })
      expect(ended).toHaveLength(commands.length)

      const worker = start(['worker', 'fixity'], { home, env })
      await until('the worker works', () => /fixity/.test(worker.stderr()))
      expect(await stop(worker)).toBe(0)
      const node = await startServer({ home, env })
      expect(await stop(node)).toBe(0)
    })
  },
)

describe.skipIf('absent' in kafka)('a command on Kafka, while nobody handles messages', () => {
  it('says that it is in the log, beside what is waited for in vain', limits, async () => {
    const { home } = useFolder()
    const env = { FONDS_BROKER: broker, FONDS_TOPIC_PREFIX: `${uuid()}-` }
    const given = await run(['do', 'ingest.pause', '--actor', 'ada', '--reason', 'the lift'], { home, env })
    expect(given).toMatchObject({ code: 3, stdout: '' })
    expect(given.stderr).toMatch(
      /the command is in the log, at position \d+, and need not be given again; the waiting messages are not being handled; is `fonds start` running/,
    )
    const events = await run(['events', '--type', 'HoldSet'], { home, env })
    expect(JSON.parse(events.stdout)).toMatchObject({ data: { reason: 'the lift' } })
  })
})
