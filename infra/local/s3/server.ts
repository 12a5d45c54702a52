import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { freed, freePort } from '../kafka/free-port.ts'
import { type LifelineServer, startOnLifeline } from '../lifeline.ts'

export interface S3Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** They open nothing but servers of this machine. */
export const localKeys: S3Keys = { accessKeyId: 'fonds-local', secretAccessKey: 'fonds-local-secret' }

export interface LocalS3 {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  readonly keys: S3Keys
  /** Lets it finish, as an operator would. */
  stop(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Again, on the same folder and port. */
  start(): Promise<void>
}

export interface LocalS3Options {
  /** A free one by default. */
  readonly port?: number
  readonly log?: (line: string) => void
}

interface Program {
  readonly name: string
  readonly command: (port: number) => readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a server on 127.0.0.1, and waits until it answers. It ends with this process. Throws its last lines. */
export const startLocalS3 = async (
  program: Program,
  options: LocalS3Options,
  keys: S3Keys,
): Promise<LocalS3> => {
  const port = await freePort(options.port)
  const endpoint = `http://127.0.0.1:${port}`
  let server: LifelineServer | undefined
  const start = async () => {
    // Another server there would be taken for ours.
    await freed(port)
    server = startOnLifeline(program.command(port), {
      ...(options.log && { log: options.log }),
      ...(program.env && { env: program.env }),
    })
    const { exited, lines } = server
    if (await answers(endpoint, exited)) return
    await server.kill()
    throw new Error(`${program.name} did not start on ${endpoint}; it wrote:\n${lines.join('\n')}`)
  }
  await start()
  return { endpoint, keys, start, stop: async () => server?.stop(), kill: async () => server?.kill() }
}

/** True once it answers at all; false where it ended first, or takes too long. */
const answers = async (endpoint: string, exited: AbortSignal, withinMillis = 60_000): Promise<boolean> => {
  const deadline = Date.now() + withinMillis
  while (!exited.aborted && Date.now() < deadline) {
    try {
      const { body } = await request(endpoint, { headersTimeout: 5000 })
      await body.dump()
      return true
    } catch {
      // Not yet: it is still starting.
    }
    await wait(20)
  }
  return false
}

/** A folder that goes with this process. */
export const passingFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-s3-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
