import { motoServer, motoVersion } from './programs.ts'
import { type LocalS3, type LocalS3Options, localKeys, startLocalS3 } from './server.ts'

interface MotoOptions extends LocalS3Options {
  /** Its own settings: with `INITIAL_NO_AUTH_ACTION_COUNT` it checks signatures and policies of IAM behind so many requests. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A mock of S3 in memory that takes keys of every kind, and archived objects, which versitygw does not. It checks no signature, unless it is set to.
 * Throws where it is not installed.
 */
export const startMoto = async ({ env, ...options }: MotoOptions = {}): Promise<LocalS3> => {
  const program = motoServer()
  if (program === undefined)
    throw new Error(`moto ${motoVersion} is not installed (.ci/judges, or FONDS_MOTO_SERVER=<moto_server>)`)
  return startLocalS3(
    {
      name: 'moto',
      command: (port) => [program, '-H', '127.0.0.1', '-p', String(port)],
      ...(env && { env }),
    },
    options,
    localKeys,
  )
}
