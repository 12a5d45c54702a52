import { expect, it } from 'vitest'
import { tlsFiles } from '../fixtures/tls/files.ts'
import { type Ran, run, useFolder } from './run-fonds.ts'

/* Servers that are not there, and settings that mean nothing: a sentence, and an exit code for scripts. */

const isBrief = ({ stderr }: Ran) =>
  stderr.trim().split('\n').length < 5 && !/^\s+at |should not/m.test(stderr)

const nobody = {
  kafka: { FONDS_BROKER: 'kafka://127.0.0.1:1' },
  log: { FONDS_EVENT_STORE: 'esdb://fonds:secret@127.0.0.1:1?tls=false' },
}

it.each([
  ['no Kafka', nobody.kafka, { broker: /127.0.0.1:1: .*ECONNREFUSED/, topics: /ECONNREFUSED/ }],
  [
    'no EventStoreDB',
    nobody.log,
    { 'event store': /127.0.0.1:1.* cannot be reached .*ECONNREFUSED/, views: /cannot be/ },
  ],
])('fonds doctor with %s: a line for it, what to do, and exit code 1', async (_, env, failing) => {
  const { home } = useFolder()
  const ran = await run(['doctor'], { home, env })
  const lines = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
  const failed = lines.filter(({ status }) => status === 'fail')
  expect(failed.map(({ check }) => check)).toEqual(Object.keys(failing))
  for (const [check, says] of Object.entries(failing)) {
    const line = failed.find((one) => one.check === check)
    expect(line?.says).toMatch(says)
    expect(line?.todo).toBeTruthy()
  }
  expect(ran.code).toBe(1)
  expect(ran.stdout + ran.stderr).not.toContain('secret')
})

it.each([
  [['topics'], nobody.kafka],
  [['start', '--no-wait'], nobody.kafka],
  [['events'], nobody.log],
  [['start', '--no-wait'], nobody.log],
  [['worker', 'fixity', '--no-wait'], nobody.log],
])('fonds %j without its server ends with exit code 3: %o', async (command, env) => {
  const ran = await run(command, { home: useFolder().home, env: { ...env, FONDS_PORT: '0' } })
  expect(ran.stderr).toMatch(/127\.0\.0\.1:1\b/)
  expect(isBrief(ran), ran.stderr).toBe(true)
  expect(ran.code).toBe(3)
})

const kafka = { ...nobody.kafka, FONDS_KAFKA_TLS: 'on' }
const { server, client, authority } = tlsFiles
it.each<[string[], Record<string, string>, string]>([
  [['topics'], { ...kafka, FONDS_KAFKA_CA_FILE: '/nowhere.pem' }, '--kafka-ca-file, FONDS_KAFKA_CA_FILE'],
  [['topics'], { ...kafka, FONDS_KAFKA_CA_FILE: server.key }, '--kafka-ca-file, FONDS_KAFKA_CA_FILE'],
  [
    ['topics'],
    { ...kafka, FONDS_KAFKA_CERT_FILE: client.cert, FONDS_KAFKA_KEY_FILE: server.key },
    '--kafka-key-file, FONDS_KAFKA_KEY_FILE',
  ],
  [['topics'], { ...nobody.kafka, FONDS_KAFKA_CA_FILE: authority }, 'set kafkaTls to on'],
  [
    ['start', '--roles', 'gateway', '--gateway', '0'],
    { FONDS_TLS_CERT_FILE: '/nowhere.pem', FONDS_TLS_KEY_FILE: server.key },
    '--tls-cert-file, FONDS_TLS_CERT_FILE',
  ],
  [['events'], { FONDS_EVENT_STORE: 'esdb://fonds:secret@127.0.0.1:door' }, 'wants event store address'],
  [['events'], { FONDS_EVENT_STORE: 'esdb://127.0.0.1:1?tlsCAFile=/nowhere.pem' }, 'certificate file'],
])('fonds %s with a setting that cannot be had ends with exit code 2: %o', async (args, env, says) => {
  const ran = await run(args, { home: useFolder().home, env })
  expect(ran.stderr).toContain(says)
  expect(isBrief(ran), ran.stderr).toBe(true)
  expect(ran.stderr).not.toContain('secret')
  expect(ran.code).toBe(2)
})
