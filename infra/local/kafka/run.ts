import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { kafkaVersion } from './artifacts.ts'
import { serverJvm, startKafka } from './kafka.ts'

/* `npm run kafka -- [--port 9092] [<folder>]`: a real Kafka for a person, until Ctrl-C. */

const usage = 'npm run kafka -- [--port <port>, default 9092] [<folder for its data>, default .fonds-kafka]'
const say = (line: string) => process.stderr.write(`${line}\n`)

const given = () => {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '9092' } },
    allowPositionals: true,
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || positionals.length > 1) throw new Error(usage)
  return { port, folder: resolve(positionals[0] ?? '.fonds-kafka') }
}

try {
  const { port, folder } = given()
  const kafka = await startKafka({ port, folder, jvm: serverJvm, log: say })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void kafka.stop())
  say(
    `Apache Kafka ${kafkaVersion} on ${kafka.address}, its data in ${folder}. Ctrl-C stops it. In another window:`,
  )
  process.stdout.write(`FONDS_BROKER=kafka://${kafka.address} npm start\n`)
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}
