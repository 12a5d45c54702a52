import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type LifelineServer, startOnLifeline } from '../lifeline.ts'
import { classPath, kafkaVersion } from './artifacts.ts'
import { freed, freePort } from './free-port.ts'
import { dataOf, type Listeners, type Node, propertiesOf } from './properties.ts'
import { ready } from './ready.ts'

type LocalKafka = {
  /** `host:port` */
  readonly address: string
  readonly folder: string
  /** Lets it finish, as an operator would. */
  stop(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Again, on the same folder and port. */
  start(): Promise<void>
}

type KafkaOptions = {
  /** A free one by default. */
  readonly port?: number
  /** Kept when it stops; without one, a folder that goes with this process. */
  readonly folder?: string
  readonly log?: (line: string) => void
  /** Default: quick to start rather than quick to run. */
  readonly jvm?: readonly string[]
  readonly listeners?: Listeners
  /** For `server.properties`. */
  readonly properties?: Readonly<Record<string, string>>
  /** Users that are there from the start: `SCRAM-SHA-256=[name=anna,password=secret]`. */
  readonly scram?: readonly string[]
}

/** For measuring: the compilers and the collector that a server would have. */
export const serverJvm: readonly string[] = ['-Xmx1g']
const quickJvm: readonly string[] = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

const logging = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showShortLogName=true',
]

/**
 * A real Apache Kafka (one KRaft node) on 127.0.0.1 without Docker: needs Java, and Maven the first time. It ends with
 * this process. Throws a sentence that says what to install, or the last lines that Kafka wrote.
 */
export const startKafka = async (options: KafkaOptions = {}): Promise<LocalKafka> => {
  const { log = () => undefined, jvm = quickJvm } = options
  const port = await freePort(options.port)
  const jars = await classPath(log)
  const node: Node = { port, controllerPort: await freePort(), folder: options.folder ?? passingFolder() }
  const properties = join(node.folder, 'server.properties')
  mkdirSync(node.folder, { recursive: true })
  writeFileSync(properties, propertiesOf(node, options.listeners, options.properties))
  const java = (main: string, ...args: readonly string[]) => [
    'java',
    ...jvm,
    ...logging,
    '-cp',
    jars,
    main,
    ...args,
  ]
  if (!existsSync(join(dataOf(node.folder), 'meta.properties'))) {
    // A new cluster each time: who counts offsets by its name must not take it for the one before.
    const clusterId = randomBytes(16).toString('base64url')
    // Joined to its name, since it may begin with a dash.
    const format = ['format', `--cluster-id=${clusterId}`, '-c', properties, '--standalone']
    for (const user of options.scram ?? []) format.push('--add-scram', user)
    const [command = 'java', ...args] = java('kafka.tools.StorageTool', ...format)
    await promisify(execFile)(command, args)
  }
  const address = `127.0.0.1:${port}`
  let server: LifelineServer | undefined

  const start = async () => {
    // Another Kafka there would be taken for ours.
    await freed(port)
    server = startOnLifeline(java('kafka.Kafka', properties), { log })
    const { exited, lines } = server
    if (await ready(address, exited)) return
    await kill()
    throw new Error(`Apache Kafka ${kafkaVersion} did not start on ${address}; it said:\n${lines.join('\n')}`)
  }
  const stop = async () => server?.stop()
  const kill = async () => server?.kill()

  await start()
  return { address, folder: node.folder, stop, kill, start }
}

const passingFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-kafka-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
