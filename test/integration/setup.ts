import type { TestProject } from 'vitest/node'
import { startKafka } from '#infra/local/kafka/kafka.ts'
import { eventStoreInDocker, kafkaInDocker } from './containers.ts'
import {
  type Found,
  firstFound,
  givenIn,
  installed,
  requiredIn,
  type ServerName,
  verdict,
  type Way,
} from './discovery.ts'

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
  const { lines, missing } = verdict(servers, required)
  if (needed) process.stderr.write(`\n${lines.join('\n')}\n\n`)
  if (needed && missing.length > 0) {
    await stopAll()
    throw new Error(missing.join('\n'))
  }
  return stopAll
}

const notNeeded: Readonly<Record<ServerName, Found>> = {
  'cdxj-indexer': { absent: 'no file of this run asks for it' },
  jwarc: { absent: 'no file of this run asks for it' },
  kafka: { absent: 'no file of this run asks for it' },
  eventstoredb: { absent: 'no file of this run asks for it' },
  nginx: { absent: 'no file of this run asks for it' },
  rocfl: { absent: 'no file of this run asks for it' },
  'ocfl-py': { absent: 'no file of this run asks for it' },
  bagit: { absent: 'no file of this run asks for it' },
  aiosmtpd: { absent: 'no file of this run asks for it' },
  file: { absent: 'no file of this run asks for it' },
  surt: { absent: 'no file of this run asks for it' },
}

const found = async (stops: (stop: () => Promise<unknown>) => void) => {
  const [kafka, eventstoredb, nginx, rocfl, ocflPy, bagit, aiosmtpd, file, surt, cdxjIndexer, jwarc] =
    await Promise.all([
      firstFound([
        givenIn(process.env, 'FONDS_KAFKA', 'host:port,host:port'),
        kafkaInDocker(stops),
        localKafka(stops),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_EVENTSTOREDB', 'esdb://host:2113?tls=false'),
        eventStoreInDocker(stops),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_NGINX', '/usr/sbin/nginx'),
        installed('nginx', 'apt-get install nginx-light'),
      ]),
      firstFound([givenIn(process.env, 'FONDS_ROCFL', '/usr/bin/rocfl'), installed('rocfl', '.ci/judges')]),
      firstFound([
        givenIn(process.env, 'FONDS_OCFL_PY', '/usr/bin/ocfl-validate.py'),
        installed('ocfl-validate.py', '.ci/judges'),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_BAGIT', '/usr/bin/bagit.py'),
        installed('bagit.py', '.ci/judges'),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_AIOSMTPD', '/usr/bin/aiosmtpd'),
        installed('aiosmtpd', '.ci/judges'),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_FILE', '/usr/bin/file'),
        installed('file', 'apt-get install file'),
      ]),
      firstFound([
        givenIn(process.env, 'FONDS_SURT', '/usr/bin/python3'),
        installed('python-with-surt', '.ci/judges'),
      ]),
      firstFound([installed('cdxj-indexer', '.ci/judges')]),
      firstFound([installed('jwarc.jar', '.ci/judges')]),
    ])
  return {
    kafka,
    eventstoredb,
    nginx,
    rocfl,
    'ocfl-py': ocflPy,
    bagit,
    aiosmtpd,
    file,
    surt,
    'cdxj-indexer': cdxjIndexer,
    jwarc,
  }
}

const localKafka =
  (stops: (stop: () => Promise<unknown>) => void): Way =>
  async () => {
    const kafka = await startKafka()
    stops(kafka.stop)
    return { address: kafka.address }
  }
