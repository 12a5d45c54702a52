import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isLeft } from 'fp-ts/lib/Either.js'
import kafkajs from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { classPath } from '../../../infra/local/kafka/artifacts.ts'
import { createApi } from '../../../src/api/create-api.ts'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { orThrow } from '../../../src/async/unavailable.ts'
import { contentTopic } from '../../../src/domain/fixity/messages.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { causeOf, type Message } from '../../../src/domain/kernel/message.ts'
import { testSystem } from '../../app/archive.ts'
import { limits } from '../../patience.ts'
import { server } from '../servers.ts'

/*
 * The official SDKs of CloudEvents as producers, each by a program of ours in `producers/`: two events, `whole` and `bare`, over HTTP
 * and to Kafka, in binary and in structured mode. However it comes, an event is the same message.
 */

const kafka = server('kafka')
const brokers = 'absent' in kafka ? [] : kafka.address.split(',')
const { name: topic, messages, keyOf } = contentTopic
const data = messages[0].example
const key = keyOf(data)
const program = (name: string): string => join(import.meta.dirname, 'producers', name)

const onKafka = async (): Promise<System & { readonly full: string }> => {
  const topicPrefix = `${uuid()}-`
  const broker = `kafka://${brokers.join(',')}`
  const system = await testSystem({ broker, topicPrefix, partitions: 1 })
  await ensureTopics(system)
  return { ...system, full: topicPrefix + topic }
}

const listening = async (system: System): Promise<string> => {
  const api = await createApi(system)
  onTestFinished(() => api.close())
  return `${await api.listen({ host: '127.0.0.1', port: 0 })}/api/v1/topics/${topic}/messages`
}

/** A line of a program: the status that HTTP answered, or a record for Kafka, in base64. */
interface Line {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly value?: string
}

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')

/** Sends what a program printed for Kafka, byte for byte; kafkajs cannot write a header that is null. */
const sendPrinted = async (full: string, lines: readonly Line[]): Promise<void> => {
  const producer = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).producer()
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  for (const { headers, value } of lines) {
    if (value === undefined) continue
    const some = Object.entries(headers ?? {}).flatMap(([name, one]) =>
      one === null ? [] : [[name, bytes(one)] as const],
    )
    await producer.send({
      topic: full,
      messages: [{ key, headers: Object.fromEntries(some), value: bytes(value) }],
    })
  }
}

/** The messages on the topic, as processors read them. Throws for one that would be a dead letter. */
const messagesOn = async (system: System): Promise<readonly Message[]> =>
  (await orThrow(system.broker.peek(topic, 0, 0n, 1000))).map((record) => {
    const read = readMessage({ log: 'log', ...record }, contentTopic)
    if (isLeft(read)) throw new Error(`${JSON.stringify(record.headers)}: ${read.left.message}`)
    return read.right
  })

const wholeTime = '2026-01-31T11:00:00.500Z'

const expectTwo = (found: readonly Message[], counts: Readonly<Record<string, number>>) => {
  const byCause = Map.groupBy(found, causeOf)
  const counted = Array.from(byCause, ([cause, some]) => [cause, some.length])
  expect(Object.fromEntries(counted)).toEqual(counts)
  for (const message of found) {
    const { time, data: read, subject, correlationId } = message
    const isWhole = message.id === 'whole'
    expect({ read, subject, correlationId }).toEqual({
      read: data,
      ...(isWhole
        ? { subject: 'box 12 é', correlationId: 'c-1' }
        : { subject: undefined, correlationId: undefined }),
    })
    if (isWhole) expect(time).toBe(wholeTime)
  }
}

const run = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, [...args])).stdout.trim()

const printers = {
  // cloudevents 10.0.0 of npm.
  'cloudevents-node': (folder: string) => [process.execPath, 'producer.mjs', folder],
  // cloudevents 2.2.0 and 1.13.0 of PyPI.
  'cloudevents-python': (folder: string) => [join(folder, 'bin/python'), 'producer.py', ''],
  'cloudevents-python-1': (folder: string) => [join(folder, 'bin/python'), 'producer.py', ''],
} as const

const sent = {
  'cloudevents-node': { '/sdk/source#whole': 4, '/sdk/source#bare': 3 },
  'cloudevents-python': { '/sdk/source#whole': 4, '/sdk/source#bare': 4 },
  'cloudevents-python-1': { '/sdk/source#whole': 4, '/sdk/source#bare': 4 },
} as const

for (const name of ['cloudevents-node', 'cloudevents-python', 'cloudevents-python-1'] as const) {
  const found = server(name)
  describe.skipIf('absent' in kafka || 'absent' in found)(name, () => {
    it('sends an event over HTTP and to Kafka in each mode, and it is the same message', limits, async () => {
      const system = await onKafka()
      const url = await listening(system)
      const [command, file, more] = printers[name]('address' in found ? found.address : '')
      const out = await run(command!, [program(file!), url, JSON.stringify(data), more!])
      const lines = out.split('\n').map((line): Line => JSON.parse(line))
      expect(lines.flatMap(({ status }) => status ?? []).every((status) => status === 202)).toBe(true)
      await sendPrinted(system.full, lines)
      expectTwo(await messagesOn(system), sent[name])
    })
  })
}

const java = server('cloudevents-java')
describe.skipIf('absent' in kafka || 'absent' in java)(
  'cloudevents-java, and the header mapper of Spring',
  () => {
    it('send an event over HTTP and to Kafka in each mode, and it is the same message', limits, async () => {
      const system = await onKafka()
      const url = await listening(system)
      const jars = 'address' in java ? join(java.address, '*') : ''
      const path = [jars, await classPath(() => {})].join(':')
      const out = await run('java', [
        ...['-Dfile.encoding=UTF-8', '-cp', path, program('Producer.java')],
        ...[url, brokers.join(','), system.full, key, JSON.stringify(data)],
      ])
      // The third has no type, and an HttpURLConnection of Java 17 names that of a form.
      expect(out.split('\n')).toEqual(['202', '202', '415', '202'])
      // The SDK writes UTF-8 into a header of HTTP, which the binding wants percent-encoded: it is read as Latin-1.
      const found = (await messagesOn(system)).map((message) =>
        message.subject === 'box 12 Ã©' ? { ...message, subject: 'box 12 é' } : message,
      )
      expectTwo(found, { '/sdk/source#whole': 4, '/sdk/source#bare': 5 })
      // Spring 3.3.11 wrote two of them, with quotes around the source and, once, around all of it.
      expect(found.flatMap(({ quoted, time }) => (quoted ? { ...quoted, time } : []))).toEqual([
        { id: 'bare', source: '"/sdk/source"', time: wholeTime },
        { id: '"bare"', source: '"/sdk/source"', time: wholeTime },
      ])
    })
  },
)
