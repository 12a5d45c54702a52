import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { versitygwBuilt } from './programs.ts'
import {
  type LocalS3,
  type LocalS3Options,
  localKeys,
  passingFolder,
  type S3Keys,
  startLocalS3,
} from './server.ts'

interface VersitygwOptions extends LocalS3Options {
  /** Kept when it stops; without one, a folder that goes with this process. */
  readonly folder?: string
  /** Are there when it starts. */
  readonly buckets?: readonly string[]
}

export interface Versitygw extends LocalS3 {
  /** Its buckets are the folders in it, and objects are the files in these. */
  readonly data: string
  /** Adds a user who may do nothing but what the policies of buckets allow. */
  addUser(keys: S3Keys): Promise<void>
}

/**
 * A real S3 server over a folder (versitygw, whose buckets may keep versions) without Docker: needs Go the first time. Its file
 * system must have extended attributes.
 */
export const startVersitygw = async ({
  folder = passingFolder(),
  buckets = [],
  ...options
}: VersitygwOptions = {}): Promise<Versitygw> => {
  const program = await versitygwBuilt(options.log ?? (() => undefined))
  // By default it closes the connection after each answer, which S3 does not.
  // It changes into its folder, and takes no folder of versions within its data.
  const [data, versions, users] = ['data', 'versions', 'users'].map((name) => resolve(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const own of [versions, users]) mkdirSync(own, { recursive: true })
  for (const bucket of ['', ...buckets]) mkdirSync(join(data, bucket), { recursive: true })
  const server = await startLocalS3(
    {
      name: 'versitygw',
      command: (port) => [
        ...[program, '--port', `127.0.0.1:${port}`, '--iam-dir', users, '--quiet', '--keep-alive'],
        ...['posix', '--versioning-dir', versions, data],
      ],
      env: { ROOT_ACCESS_KEY: localKeys.accessKeyId, ROOT_SECRET_KEY: localKeys.secretAccessKey },
    },
    options,
    localKeys,
  )
  const addUser = async ({ accessKeyId, secretAccessKey }: S3Keys) => {
    const admin = { ADMIN_ACCESS_KEY: localKeys.accessKeyId, ADMIN_SECRET_KEY: localKeys.secretAccessKey }
    await promisify(execFile)(
      program,
      [
        ...['admin', '--endpoint-url', server.endpoint, 'create-user'],
        ...['--access', accessKeyId, '--secret', secretAccessKey, '--role', 'user'],
      ],
      { env: { ...process.env, ...admin } },
    )
  }
  return { ...server, data, addUser }
}
