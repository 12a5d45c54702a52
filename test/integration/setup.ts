import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startKafka } from '#infra/local/kafka/kafka.ts'
import { startMoto } from '#infra/local/s3/moto.ts'
import { versitygw } from '#infra/local/s3/programs.ts'
import type { LocalS3 } from '#infra/local/s3/server.ts'
import { startVersitygw } from '#infra/local/s3/versitygw.ts'
import { eventStoreInDocker, kafkaInDocker, motoInDocker, versitygwInDocker } from './containers.ts'
import {
  allInstalled,
  type Found,
  firstFound,
  givenIn,
  installed,
  requiredIn,
  type ServerName,
  serverNames,
  verdict,
  type Way,
} from './discovery.ts'
import { addressOf } from './s3/server-address.ts'

/** Finds or starts the servers before the first file runs, and stops what it started behind the last. */
export default async ({ provide, vitest }: TestProject): Promise<() => Promise<void>> => {
  const required = requiredIn(process.env)
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async () => {
    await Promise.allSettled(stops.map((stop) => stop()))
  }
  // Those of the embedded adapters run beside them, and need no server.
  const needed = vitest.state.getPaths().some((path) => path.endsWith('.integration.test.ts'))
  const servers = needed ? await found((stop) => stops.push(stop)) : notNeeded
  provide('servers', servers)
  const pages = await mkdtemp(join(tmpdir(), 'fonds-pages-'))
  stops.push(() => rm(pages, { recursive: true, force: true, maxRetries: 10 }))
  provide('pages', pages)
  const { lines, missing } = verdict(servers, required)
  if (needed) process.stderr.write(`\n${lines.join('\n')}\n\n`)
  if (needed && missing.length > 0) {
    await stopAll()
    throw new Error(missing.join('\n'))
  }
  return stopAll
}

const byName = (each: readonly (readonly [ServerName, Found])[]) =>
  Object.fromEntries(each) as Readonly<Record<ServerName, Found>>

const notNeeded = byName(serverNames.map((name) => [name, { absent: 'no file of this run asks for it' }]))

type Stops = (stop: () => Promise<unknown>) => void

const found = async (stops: Stops): Promise<Readonly<Record<ServerName, Found>>> => {
  const ways = waysTo(stops)
  return byName(
    await Promise.all(serverNames.map(async (name) => [name, await firstFound(ways[name])] as const)),
  )
}

const waysTo = (stops: Stops): Readonly<Record<ServerName, readonly Way[]>> => ({
  kafka: [
    givenIn(process.env, 'FONDS_KAFKA', 'host:port,host:port'),
    kafkaInDocker(stops),
    localKafka(stops),
  ],
  eventstoredb: [
    givenIn(process.env, 'FONDS_EVENTSTOREDB', 'esdb://host:2113?tls=false'),
    eventStoreInDocker(stops),
  ],
  s3: [
    givenIn(process.env, 'FONDS_S3', 'http://<key>:<secret>@host:port'),
    versitygwInDocker(stops),
    localVersitygw(stops),
  ],
  moto: [
    givenIn(process.env, 'FONDS_MOTO', 'http://host:port'),
    motoInDocker(stops),
    localS3(stops, startMoto),
  ],
  nginx: [
    givenIn(process.env, 'FONDS_NGINX', '/usr/sbin/nginx'),
    installed('nginx', 'apt-get install nginx-light'),
  ],
  rocfl: [givenIn(process.env, 'FONDS_ROCFL', '/usr/bin/rocfl'), installed('rocfl', '.ci/judges')],
  'ocfl-py': [
    givenIn(process.env, 'FONDS_OCFL_PY', '/usr/bin/ocfl-validate.py'),
    installed('ocfl-validate.py', '.ci/judges'),
  ],
  bagit: [givenIn(process.env, 'FONDS_BAGIT', '/usr/bin/bagit.py'), installed('bagit.py', '.ci/judges')],
  aiosmtpd: [
    givenIn(process.env, 'FONDS_AIOSMTPD', '/usr/bin/aiosmtpd'),
    installed('aiosmtpd', '.ci/judges'),
  ],
  'sound-programs': [
    allInstalled(
      ['espeak-ng', 'sox', 'lame', 'flac', 'oggenc', 'opusenc'],
      'apt-get install espeak-ng sox lame flac vorbis-tools opus-tools',
    ),
  ],
  zstd: [givenIn(process.env, 'FONDS_ZSTD', '/usr/bin/zstd'), installed('zstd', 'apt-get install zstd')],
  file: [givenIn(process.env, 'FONDS_FILE', '/usr/bin/file'), installed('file', 'apt-get install file')],
  surt: [givenIn(process.env, 'FONDS_SURT', '/usr/bin/python3'), installed('python-with-surt', '.ci/judges')],
  'cdxj-indexer': [installed('cdxj-indexer', '.ci/judges')],
  chromium: [
    givenIn(process.env, 'FONDS_CHROMIUM', '/usr/bin/chromium'),
    installed('chromium', 'apt-get install chromium'),
  ],
  promtool: [
    givenIn(process.env, 'FONDS_PROMTOOL', '/usr/bin/promtool'),
    installed('promtool', 'apt-get install prometheus'),
  ],
  zsh: [givenIn(process.env, 'FONDS_ZSH', '/usr/bin/zsh'), installed('zsh', 'apt-get install zsh')],
  openssl: [
    givenIn(process.env, 'FONDS_OPENSSL', '/usr/bin/openssl'),
    installed('openssl', 'apt-get install openssl'),
  ],
  fish: [givenIn(process.env, 'FONDS_FISH', '/usr/bin/fish'), installed('fish', 'apt-get install fish')],
  fastwarc: [installed('fastwarc', '.ci/judges')],
  pywb: [installed('wayback', '.ci/judges')],
  wacz: [installed('wacz', '.ci/judges')],
  jwarc: [installed('jwarc.jar', '.ci/judges')],
  jhove: [installed('jhove-apps.jar', '.ci/judges')],
  'esdb-python': [installed('esdb-python', '.ci/judges')],
  'esdb-node': [installed('esdb-node', '.ci/judges')],
  'esdb-go': [installed('esdb-go', '.ci/judges')],
  'esdb-java': [installed('esdb-java', '.ci/judges')],
  'cloudevents-node': [installed('cloudevents-node', '.ci/judges')],
  'cloudevents-python': [installed('cloudevents-python', '.ci/judges')],
  'cloudevents-python-1': [installed('cloudevents-python-1', '.ci/judges')],
  'cloudevents-java': [installed('cloudevents-java', '.ci/judges')],
  'tlog-go': [installed('tlog-go', '.ci/judges')],
  litewitness: [installed('litewitness', '.ci/judges')],
  xmllint: [
    givenIn(process.env, 'FONDS_XMLLINT', '/usr/bin/xmllint'),
    installed('xmllint', 'apt-get install libxml2-utils'),
  ],
  rapper: [
    givenIn(process.env, 'FONDS_RAPPER', '/usr/bin/rapper'),
    installed('rapper', 'apt-get install raptor2-utils'),
  ],
})

const localKafka =
  (stops: Stops): Way =>
  async () => {
    const kafka = await startKafka()
    stops(kafka.stop)
    return { address: kafka.address }
  }

/** Builds nothing: that takes minutes. */
const localVersitygw =
  (stops: Stops): Way =>
  async () =>
    versitygw() === undefined
      ? { absent: 'versitygw is not installed (.ci/judges, or npm run s3)' }
      : localS3(stops, startVersitygw)()

const localS3 =
  (stops: Stops, start: () => Promise<LocalS3>): Way =>
  async () => {
    const server = await start()
    stops(server.stop)
    return { address: addressOf(server.endpoint, server.keys) }
  }
