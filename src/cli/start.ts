import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { defaultRoles, type Role, roles } from '../app/config/settings.ts'
import { type Running, startRoles } from '../app/roles.ts'
import type { RunningGateway, System } from '../app/system.ts'
import { aborted } from '../async/aborted.ts'
import { InvalidSetting } from '../async/errors.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { away, type CliFailure } from './output/exit-codes.ts'
import { endOnUncaught } from './uncaught.ts'
import { unknownVariables } from './unknown-variables.ts'

interface StartOptions {
  readonly roles?: readonly Role[]
  readonly grace: number
}

export const registerStart = (program: Command, context: CliContext): void => {
  const command = program
    .command('start')
    .summary('run everything in one process')
    .description(
      'Runs until Ctrl-C or SIGTERM: it then takes nothing new and finishes what it has. Several may run on one home; ' +
        `they share the work. Roles: ${roles.join(', ')}; without --roles all but relay and gateway.`,
    )
    .option('--roles <names>', 'only these parts, with commas between', parseRoles)
    .option('--grace <seconds>', 'longest wait for work under way when stopping', wholeNumber, 30)
    .action(running(context, start))
  addExamples(command, [
    ['start', 'everything, with HTTP on this machine'],
    ['start --port 8080 --home /srv/fonds', 'elsewhere'],
    ['start --gateway 2113', "and EventStoreDB's clients may read and write the log"],
    ['start --roles relay', 'every event on `fonds.<workflow>.events`, for other systems'],
    ['start --roles processors,reactions,projections,api', 'without workers: run those with `fonds worker`'],
  ])
}

const parseRoles = (text: string): readonly Role[] => {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(roles as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no role ${unknown}; there are ${roles.join(', ')}.`)
  return names as Role[]
}

const start = async (session: Session, options: StartOptions): Promise<CliFailure | undefined> => {
  for (const sentence of unknownVariables(session.env)) session.say(`warning: ${sentence}`)
  const system = await session.system()
  const wanted = options.roles ?? defaultRoles
  const parts = await startParts(session, system, wanted)
  if (!parts) return undefined
  using _ = endOnUncaught(system.log, parts.abandon)
  const http = wanted.includes('api') ? await session.http() : undefined
  // The token is never printed: output ends up in logs.
  const ticket = system.config.token === undefined ? undefined : randomBytes(24).toString('base64url')
  const api = http?.createServer(system, { running: parts, ...(ticket !== undefined && { ticket }) })
  let gateway: RunningGateway | undefined
  try {
    if (api) {
      const address = await api.listen().catch((error: NodeJS.ErrnoException) => error)
      if (typeof address !== 'string') return cannotListen(session, address)
      session.say(`Fonds is at ${address}`)
      if (ticket !== undefined)
        session.say(`open ${address}/enter#${ticket} in a browser: it enters once, within an hour`)
    }
    if (wanted.includes('gateway') || system.config.gateway !== undefined) {
      const port = system.config.gateway ?? eventStoreDbPort
      const opened = await system.openGateway(port).catch((error: Error) => error)
      if (opened instanceof InvalidSetting) throw opened
      if (opened instanceof Error)
        return away(`the gateway cannot open: ${opened.message}`, '--gateway says its port')
      gateway = opened
      session.say(`the log speaks EventStoreDB's protocol on port ${gateway.port}`)
    }
    session.say(`home ${system.config.home}; roles ${wanted.join(', ')}; Ctrl-C stops`)
    await aborted(session.signal)
    session.say('stopping: finishing what is under way')
  } finally {
    const grace = options.grace * SECOND
    // Side by side, so that each part has the whole grace period.
    await Promise.all([api?.close(grace), gateway?.stop(grace), parts.stop(grace)])
  }
  return undefined
}

/** Undefined where it was to stop before: a start may wait for a Kafka that is away, and ends with its broker. */
const startParts = async (
  { signal, say }: Session,
  system: System,
  wanted: readonly Role[],
): Promise<Running | undefined> => {
  const close = () => void system.broker.close()
  signal.addEventListener('abort', close)
  try {
    return await startRoles(
      system,
      wanted.filter((role) => role !== 'api' && role !== 'gateway'),
    )
  } catch (error) {
    if (!signal.aborted) throw error
    say('stopped before it was at work')
    return undefined
  } finally {
    signal.removeEventListener('abort', close)
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
