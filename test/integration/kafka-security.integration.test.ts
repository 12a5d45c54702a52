import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type KafkaOptions, type KafkaSettings, openKafkaBroker } from '../../infra/broker/kafka/broker.ts'
import type { Broker } from '../../src/ports/broker.ts'
import { endOf, orThrow, record } from '../contracts/broker/fixture.ts'
import { linesOf, run, stop, until, useFolder } from '../e2e/run-fonds.ts'
import { tlsFiles } from '../fixtures/tls/files.ts'
import { requiredIn } from './discovery.ts'
import { isAtWork, startNode } from './nodes/cluster.ts'
import { password, startSecureKafka } from './secure-kafka.ts'

/* One Kafka that asks everybody who they are: what works, and what is said where it does not. */

const folder = mkdtempSync(join(tmpdir(), 'fonds-secure-kafka-'))
const secure = await startSecureKafka(folder).catch((error: Error) => error)
if (secure instanceof Error) {
  if (requiredIn(process.env).includes('kafka')) throw secure
  process.stderr.write(`\n!!! SKIPPED a Kafka with TLS, log-ins and rights: ${secure.message}\n`)
}
const servers = () => {
  if (secure instanceof Error) throw secure
  return secure
}
afterAll(async () => {
  if (!(secure instanceof Error)) await secure.kafka.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const text = (file: string) => readFileSync(file, 'utf8')
const ca = text(tlsFiles.authority)
const ours = { ca, cert: text(tlsFiles.client.cert), key: text(tlsFiles.client.key) }

type Mechanism = NonNullable<KafkaSettings['sasl']>['mechanism']
const login = (mechanism: Mechanism, username = 'fonds', secret = password) => ({
  sasl: { mechanism, username, password: secret },
})
/** What docs/guides/secure.md asks for. */
const all = {
  topics: ['DESCRIBE', 'READ', 'WRITE', 'ALTER_CONFIGS'],
  groups: ['DESCRIBE', 'READ'],
  cluster: ['CREATE'],
} as const

const warnings: unknown[] = []
const log = { debug: () => {}, info: () => {}, warn: remember, error: remember }
function remember(...line: unknown[]) {
  warnings.push(line)
}

const open = (
  address: string,
  prefix: string,
  way: Pick<KafkaSettings, 'tls' | 'sasl'>,
  options: KafkaOptions = {},
): Broker => {
  const broker = openKafkaBroker(
    {
      ...{ brokers: [address], clientId: 'fonds-test', topicPrefix: prefix, replication: -1 },
      ...{ compression: 'gzip', lingerMillis: 0 },
      ...way,
    },
    { sessionMillis: 6000, log, ...options },
  )
  onTestFinished(() => broker.close())
  return broker
}

describe.skipIf(secure instanceof Error)('a Kafka that asks who one is', () => {
  it('lets in who logs in in any of its ways, and needs no more rights than the documentation says', async () => {
    const { sasl, certificate, saslWithoutTls, grant } = servers()
    await grant('fonds', 'in-', all)
    await grant('CN=fonds', 'in-', all)
    warnings.length = 0
    const ways: Readonly<Record<string, Broker>> = {
      plain: open(sasl, 'in-', { tls: { ca }, ...login('plain') }),
      'scram-256': open(sasl, 'in-', { tls: { ca }, ...login('scram-sha-256') }),
      'scram-512': open(sasl, 'in-', { tls: { ca }, ...login('scram-sha-512') }),
      'no-tls': open(saslWithoutTls, 'in-', login('scram-sha-512')),
      certificate: open(certificate, 'in-', { tls: ours }),
    }
    for (const [way, broker] of Object.entries(ways)) {
      const topic = `by-${way}`
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1, retentionMillis: 86_400_000 }]))
      await orThrow(broker.produce([record(topic, 'a', way)]))
      expect(await orThrow(broker.peek(topic, 0, 0n, 1))).toMatchObject([{ key: 'a' }])
      const read: string[] = []
      const consumption = await broker.consume({ group: way, topics: [topic] }, async (batch) => {
        read.push(...batch.records.map(({ value }) => Buffer.from(value as Uint8Array).toString()))
        return endOf(batch)
      })
      await vi.waitFor(() => expect(read).toEqual([way]))
      expect((await orThrow(broker.groups())).map(({ group }) => group)).toContain(way)
      await consumption.stop()
    }
    expect((await orThrow(ways.plain!.topics())).map(({ name }) => name)).toEqual(
      Object.keys(ways)
        .map((way) => `by-${way}`)
        .sort(),
    )
    expect(warnings).toEqual([])
  })

  it('is said to be locked or out of reach in bounded time, with what to look at', async () => {
    const { sasl, certificate, saslWithoutTls } = servers()
    const stranger = text(tlsFiles.stranger)
    const wrong = 'FONDS_KAFKA_PASSWORD'
    const cases: readonly (readonly [string, Pick<KafkaSettings, 'tls' | 'sasl'>, string])[] = [
      [sasl, { tls: { ca }, ...login('plain', 'fonds', 'guess') }, wrong],
      [sasl, { tls: { ca }, ...login('scram-sha-256', 'fonds', 'guess') }, wrong],
      [sasl, { tls: { ca }, ...login('scram-sha-512', 'nobody') }, wrong],
      [sasl, { tls: { ca: stranger }, ...login('plain') }, 'FONDS_KAFKA_CA_FILE'],
      [sasl, { tls: {}, ...login('plain') }, 'FONDS_KAFKA_CA_FILE'],
      [sasl, login('plain'), 'FONDS_KAFKA_TLS=on'],
      [sasl, { tls: { ca } }, 'FONDS_KAFKA_SASL'],
      [saslWithoutTls, { tls: { ca }, ...login('plain') }, 'FONDS_KAFKA_TLS be off'],
      [certificate, { tls: { ca } }, 'FONDS_KAFKA_CERT_FILE'],
    ]
    const begun = performance.now()
    const said = await Promise.all(
      cases.map(async ([address, way]) => {
        const broker = open(address, 'out-', way)
        const failed = async (what: Promise<unknown>) =>
          what.then(
            (answer) => JSON.stringify(answer),
            (error: Error) => `${error.name}: ${error.message}`,
          )
        return Promise.all([
          failed(broker.topics()()),
          failed(broker.groups()()),
          failed(broker.ensureTopics([{ name: 't', partitions: 1 }])()),
          failed(broker.produce([record('t', 'a', '1')])()),
          failed(broker.peek('t', 0, 0n, 1)()),
          failed(broker.consume({ group: 'g', topics: ['t'] }, async (batch) => endOf(batch))),
        ])
      }),
    )
    for (const [n, [, , says]] of cases.entries()) {
      // A certificate may be mended on Kafka's side; a login that is refused is not waited for.
      const kind = says === wrong ? 'Denied' : '(?:Unavailable|Denied)'
      for (const answer of said[n]!)
        expect(answer).toMatch(new RegExp(`^({"_tag":"Left"|${kind}Error: ).*${says}`))
    }
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it('names the right that is missing, and goes on once it is granted', async () => {
    const { sasl, grant } = servers()
    const as = (user: string, options: KafkaOptions = {}) =>
      open(sasl, 'right-', { tls: { ca }, ...login('scram-sha-256', user) }, options)
    await grant('fonds', 'right-', all)
    await grant('reader', 'right-', { topics: ['READ'] })
    await grant('maker', 'right-', { topics: ['DESCRIBE'], groups: ['READ'] })
    const topics = ['one', 'two'].map((name) => ({ name, partitions: 2 }))

    const none = await as('guest').ensureTopics(topics)()
    expect(none).toMatchObject({ left: { kind: 'Forbidden', reason: expect.stringContaining('CREATE') } })
    expect(JSON.stringify(none)).toContain('right-one, right-two')
    for (const { name } of topics)
      expect(JSON.stringify(none)).toMatch(new RegExp(`kafka-topics.sh .*--create --topic right-${name} `))

    await orThrow(as('fonds').ensureTopics(topics))
    await orThrow(as('fonds').produce([record('one', 'a', '1')]))
    const reader = as('reader')
    expect(await reader.produce([record('one', 'a', '1')])()).toEqual({
      _tag: 'Left',
      left: {
        kind: 'Forbidden',
        reason: 'Kafka does not let us write to topic one: grant our user WRITE on topic right-one',
      },
    })
    const consume = { group: 'g', topics: ['one'] }
    await expect(reader.consume(consume, async (batch) => endOf(batch))).rejects.toThrow(
      'READ on group right-g',
    )

    const fatal: Error[] = []
    const maker = as('maker', { onFatal: (error) => fatal.push(error) })
    expect(await maker.peek('one', 0, 0n, 1)()).toMatchObject({
      left: { kind: 'Forbidden', reason: expect.stringContaining('READ on topic right-one') },
    })
    const read: unknown[] = []
    const consumption = await maker.consume(consume, async (batch) => {
      read.push(...batch.records)
      return endOf(batch)
    })
    // Once for each partition.
    await vi.waitFor(() => expect(fatal).toHaveLength(2))
    expect(fatal[0]?.message).toContain('grant our user READ on group right-g and on its topics')
    await grant('maker', 'right-', { topics: ['READ'] })
    await vi.waitFor(() => expect(read).toHaveLength(1))
    expect(fatal).toHaveLength(2)
    await consumption.stop()
  })
})

describe.skipIf(secure instanceof Error)('fonds on a Kafka that asks who one is', () => {
  const given = (changes: Readonly<Record<string, string>> = {}) => ({
    home: useFolder().home,
    env: {
      FONDS_BROKER: `kafka://${servers().sasl}`,
      FONDS_KAFKA_TLS: 'on',
      FONDS_KAFKA_CA_FILE: tlsFiles.authority,
      FONDS_KAFKA_SASL: 'scram-sha-512',
      FONDS_KAFKA_USERNAME: 'fonds',
      FONDS_KAFKA_PASSWORD: password,
      FONDS_TOPIC_PREFIX: 'cli-',
      FONDS_PORT: '0',
      ...changes,
    },
  })
  const message = JSON.stringify({
    type: 'content.recorded',
    data: {
      ...{ store: 'main', path: 'a', size: 1 },
      checksums: [{ algorithm: 'md5', value: '0'.repeat(32) }],
    },
  })

  it('says in a few lines what is wrong, and ends', async () => {
    const { grant } = servers()
    await grant('reader', 'cli-', { topics: ['DESCRIBE', 'CREATE'] })
    const produce = ['produce', 'fonds.fixity.content']
    const cases = [
      [['topics'], { FONDS_KAFKA_PASSWORD: 'guess' }, 3, 'FONDS_KAFKA_PASSWORD'],
      [['doctor'], { FONDS_KAFKA_PASSWORD: 'guess' }, 1, 'FONDS_KAFKA_PASSWORD'],
      [['topics'], { FONDS_KAFKA_CA_FILE: tlsFiles.stranger }, 3, 'FONDS_KAFKA_CA_FILE'],
      [['topics'], { FONDS_KAFKA_CA_FILE: '/nowhere.pem' }, 2, '--kafka-ca-file, FONDS_KAFKA_CA_FILE'],
      [['topics'], { FONDS_KAFKA_TLS: 'off', FONDS_KAFKA_CA_FILE: '' }, 3, 'FONDS_KAFKA_TLS=on'],
      [['start'], { FONDS_KAFKA_USERNAME: 'guest' }, 3, '--create --topic cli-fonds.fixity.content'],
      [['start'], { FONDS_KAFKA_USERNAME: 'reader' }, 3, 'READ on group cli-fonds.fixity'],
      [produce, { FONDS_KAFKA_USERNAME: 'reader' }, 3, 'WRITE on topic cli-fonds.fixity.content'],
    ] as const
    for (const [args, changes, code, says] of cases) {
      const begun = performance.now()
      const ran = await run(args, { ...given(changes), stdin: message })
      expect([args, ran.code, ran.stderr]).toEqual([args, code, expect.any(String)])
      expect(args[0] === 'doctor' ? ran.stdout : ran.stderr).toContain(says)
      expect(ran.stderr).not.toMatch(/^\s+at |should not/m)
      // What is to be called for each missing topic has a line of its own.
      const lines = ran.stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('kafka-topics.sh'))
      expect(lines.length, ran.stderr).toBeLessThan(5)
      expect(performance.now() - begun).toBeLessThan(20_000)
    }
  })

  it('works, and tells in a line each that Kafka went away and came back', async () => {
    const { grant, kafka } = servers()
    await grant('fonds', 'cli-', all)
    const here = given({ FONDS_KAFKA_COMPRESSION: 'gzip' })
    const node = startNode(here.home, {
      broker: here.env.FONDS_BROKER,
      ...{ kafkaTls: 'on', kafkaCaFile: tlsFiles.authority, topicPrefix: 'cli-', kafkaCompression: 'gzip' },
      ...{ kafkaSasl: 'plain', kafkaUsername: 'fonds', kafkaPassword: password, logLevel: 'warn' },
    })
    await until('the node is at work', () => isAtWork(node))
    const send = async () => {
      const ran = await run(['produce', 'fonds.fixity.content'], { ...here, stdin: message })
      expect(ran.code, ran.stderr).toBe(0)
    }
    const handled = (count: number) =>
      until(`${count} messages are handled`, async () => {
        const topics = await run(['topics'], here)
        const found = linesOf(topics).find(({ topic }) => topic === 'fonds.fixity.content')
        return Number(found?.records) === count && found.groups[0]?.lag === '0'
      })
    await send()
    await handled(1)
    const doctor = await run(['doctor'], here)
    expect(doctor.code, doctor.stdout).toBe(0)
    const broker = expect.stringMatching(/^kafka:.* answers within \d+ ms and has \d+ topics$/)
    expect(linesOf(doctor)).toContainEqual(expect.objectContaining({ status: 'ok', says: broker }))
    const before = node.stderr().length
    await kafka.kill()
    await node.says(/Kafka is unavailable/)
    await kafka.start()
    await node.says(/Kafka is available again/)
    await send()
    await handled(2)
    const since = node.stderr().slice(before).trim().split('\n')
    expect(since.filter((line) => line.includes('Kafka is available again'))).toHaveLength(1)
    expect(since.length, since.join('\n')).toBeLessThan(6)
    expect(await stop(node)).toBe(0)
  })
})
