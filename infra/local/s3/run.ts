import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { versitygwVersion } from './programs.ts'
import { startVersitygw } from './versitygw.ts'

/* `npm run s3 -- [--port 7071] [<folder>]`: a real S3 server for a person, until Ctrl-C. */

const usage = 'npm run s3 -- [--port <port>, default 7071] [<folder for its data>, default .fonds-s3]'
const bucket = 'archive'
const say = (line: string) => process.stderr.write(`${line}\n`)

const given = () => {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '7071' } },
    allowPositionals: true,
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || positionals.length > 1) throw new Error(usage)
  return { port, folder: resolve(positionals[0] ?? '.fonds-s3') }
}

try {
  const { port, folder } = given()
  const { endpoint, keys, data, stop } = await startVersitygw({ port, folder, buckets: [bucket], log: say })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  say(
    `versitygw ${versitygwVersion} on ${endpoint}, its bucket ${bucket} in ${data}. Ctrl-C stops it. In another window:`,
  )
  process.stdout.write(
    `export FONDS_S3_ENDPOINT=${endpoint} AWS_ACCESS_KEY_ID=${keys.accessKeyId} AWS_SECRET_ACCESS_KEY=${keys.secretAccessKey}\n` +
      `FONDS_INGEST_STORAGE=s3://${bucket}/storage npm start\n`,
  )
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}
