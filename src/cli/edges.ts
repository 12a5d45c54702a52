import { randomBytes } from 'node:crypto'
import type { Role } from '../app/config/settings.ts'
import type { RunningLater } from '../app/running-later.ts'
import type { RunningGateway, System } from '../app/system.ts'
import { InvalidSetting } from '../async/errors.ts'
import type { Session } from './context.ts'
import { away, type CliFailure } from './output/exit-codes.ts'

/** Where others reach a process: HTTP, and the log in EventStoreDB's protocol, as far as its roles have them. */
interface Edges {
  /** Why one of them cannot be opened; undefined where all are open. */
  open(): Promise<CliFailure | undefined>
  close(graceMillis: number): Promise<void>
}

export const createEdges = (
  session: Session,
  system: System,
  wanted: readonly Role[],
  parts: RunningLater,
): Edges => {
  const { config } = system
  // The token is never printed: output ends up in logs.
  const ticket = config.token === undefined ? undefined : randomBytes(24).toString('base64url')
  const closing: ((graceMillis: number) => Promise<void>)[] = []

  const openHttp = async (): Promise<CliFailure | undefined> => {
    const http = await session.http()
    const api = await http.createServer(system, {
      running: parts,
      isWitness: wanted.includes('witness'),
      ...(ticket !== undefined && { ticket }),
    })
    closing.push((grace) => api.close(grace))
    const address = await api.listen().catch((error: NodeJS.ErrnoException) => error)
    if (typeof address !== 'string') return cannotListen(session, address)
    session.say(`Fonds is at ${address}`)
    if (ticket !== undefined)
      session.say(`open ${address}/enter#${ticket} in a browser: it enters once, within an hour`)
    return undefined
  }

  const openGateway = async (): Promise<CliFailure | undefined> => {
    const opened: RunningGateway | Error = await system
      .openGateway(config.gateway ?? eventStoreDbPort)
      .catch((error: Error) => error)
    if (opened instanceof InvalidSetting) throw opened
    if (opened instanceof Error)
      return away(`the gateway cannot open: ${opened.message}`, '--gateway says its port')
    closing.push((grace) => opened.stop(grace))
    session.say(`the log speaks EventStoreDB's protocol on port ${opened.port}`)
    return undefined
  }

  return {
    open: async () => {
      if (wanted.includes('witness') && !wanted.includes('api'))
        throw new InvalidSetting('roles: witness is asked over HTTP, so it needs api: --roles api,witness')
      if (wanted.includes('witness')) await system.witness()
      const failure = wanted.includes('api') ? await openHttp() : undefined
      const isGateway = wanted.includes('gateway') || config.gateway !== undefined
      return failure ?? (isGateway ? openGateway() : undefined)
    },
    close: async (grace) => {
      await Promise.all(closing.map((close) => close(grace)))
    },
  }
}

/** The default port of its clients. */
const eventStoreDbPort = 2113

const cannotListen = ({ config }: Session, error: NodeJS.ErrnoException): CliFailure =>
  error.code === 'EADDRINUSE'
    ? away(
        `port ${config.port} is taken, perhaps by another Fonds`,
        '--port 0 takes a free one; --roles without api needs none',
      )
    : away(`cannot listen on ${config.host}:${config.port}: ${error.message}`, '--host and --port say where')
