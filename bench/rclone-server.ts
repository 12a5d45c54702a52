import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVersitygw } from '../infra/local/s3/versitygw.ts'

/* A versitygw of this machine with the bucket `objects`, for benches beside rclone, which knows it as the remote `bench`. */

export const region = 'us-east-1'

if (spawnSync('rclone', ['version']).status !== 0) {
  console.log('NOT COMPARED WITH RCLONE: rclone cannot be run; install it, and put it on the PATH')
  process.exit(0)
}

/** Of this run alone. */
export const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-bucket-'))
mkdirSync(join(folder, 's3'))
const server = await startVersitygw({ folder: join(folder, 's3'), buckets: ['objects'] })
export const { endpoint } = server
process.env.AWS_ACCESS_KEY_ID = server.keys.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = server.keys.secretAccessKey

// rclone opens no bucket where this is set: its HTTP client takes no certificates in this way.
const { AWS_CA_BUNDLE: _, ...others } = process.env
/** For commands beside rclone. */
export const environment = others
/** For rclone. */
export const remote = {
  ...environment,
  RCLONE_CONFIG: join(folder, 'rclone.conf'),
  RCLONE_CONFIG_BENCH_TYPE: 's3',
  RCLONE_CONFIG_BENCH_PROVIDER: 'Other',
  RCLONE_CONFIG_BENCH_ENV_AUTH: 'true',
  RCLONE_CONFIG_BENCH_REGION: region,
  RCLONE_CONFIG_BENCH_ENDPOINT: endpoint,
}

export const stopServer = async (): Promise<void> => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
