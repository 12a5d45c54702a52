import { type Credentials, EventStoreDBClient } from '@eventstore/db-client'
import type { Logger } from 'pino'
import { InvalidSetting } from '../../../src/async/errors.ts'
import {
  asEsdb,
  eventStoreDbForm,
  hiddenAddress,
  isEventStoreDbAddress,
} from '../../../src/domain/kernel/server-address.ts'
import { guarded } from './guarded-client.ts'
import { createPlaces, type Places } from './places.ts'
import { createTurns, type Turns } from './turns.ts'
import { type Batches, createBatches } from './wire/batches.ts'
import { type Calls, callsOf } from './wire/calls.ts'

/** A server and how to talk to it. */
export interface Connection {
  /** For infrequent calls. */
  readonly client: EventStoreDBClient
  /** On the client's channel. */
  readonly calls: Calls
  /** Turns of short reads, of all who share the client. */
  readonly turns: Turns
  /** Appends, on a channel of their own: they do not wait for reads. */
  readonly batches: Batches
  /** The server's name in messages: its address without name, password and options. */
  readonly name: string
  /**
   * Sent with every append of the client's: a call with credentials of its own uses the client's `Append`, which has a
   * deadline and separates clients. Its `BatchAppend` does neither.
   */
  readonly credentials: { readonly credentials: Credentials } | undefined
  /** Positions that the server returned to this process. */
  readonly places: Places
  readonly log: Pick<Logger, 'warn'> | undefined
  /** Milliseconds without an answer after which a call fails. */
  readonly timeoutMillis: number
  /** Closes the client once everybody who opened it has closed it. */
  close(): Promise<void>
}

interface Shared {
  readonly client: EventStoreDBClient
  /** Discovers the server for appends, and sends nothing itself. */
  readonly appending: EventStoreDBClient
  readonly turns: Turns
  users: number
}

/** Clients by address. Each has a connection of its own, and discovers the leader of the cluster by itself. */
const clients = new Map<string, Shared>()

const defaultTimeoutMillis = 10_000
/** Most short reads that are under way at once: servers take as many calls of a connection. */
const maxReads = 100

interface ConnectOptions {
  readonly log?: Connection['log']
  /** For a caller with a shorter deadline than others. */
  readonly deadlineMillis?: number
}

/** Makes no call. Throws `InvalidSetting` if the address is invalid, or names files that cannot be read. */
export const connect = (
  address: string,
  { log, deadlineMillis = defaultTimeoutMillis }: ConnectOptions = {},
): Connection => {
  const shared = clients.get(address) ?? {
    client: createClient(address, log),
    appending: createClient(address, undefined),
    turns: createTurns(maxReads),
    users: 0,
  }
  clients.set(address, shared)
  shared.users++
  const timeoutMillis = Math.min(deadlineMillis, deadlineIn(address) ?? defaultTimeoutMillis)
  let closed = false
  return {
    client: shared.client,
    calls: callsOf(shared.client),
    turns: shared.turns,
    batches: createBatches(callsOf(shared.appending), timeoutMillis),
    name: nameOf(address),
    credentials: credentialsOf(address),
    places: createPlaces(),
    log,
    timeoutMillis,
    close: async () => {
      if (closed) return
      closed = true
      shared.users--
      if (shared.users > 0) return
      clients.delete(address)
      await Promise.all([shared.client.dispose(), shared.appending.dispose()])
    },
  }
}

const createClient = (address: string, log: Connection['log']): EventStoreDBClient => {
  let client: EventStoreDBClient
  const warnings: string[] = []
  try {
    client = warnedOf(warnings, () => EventStoreDBClient.connectionString(everyHost(asEsdb(address))))
  } catch (error) {
    // The message quotes the address, which may hold a password.
    throw unusable(address, (error as Error).message.replace(/"[\s\S]*"/, 'text'))
  }
  if (!isEventStoreDbAddress(address)) throw unusable(address, 'it is not written as it must be.')
  for (const warning of warnings) log?.warn({ eventStore: nameOf(address) }, warning)
  return guarded(client)
}

/** Collects what the client warns of on the console: the first lines, for the others quote the address with its password. */
const warnedOf = <A>(warnings: string[], make: () => A): A => {
  const { warn } = console
  console.warn = (text: unknown) => void warnings.push(String(text).split('\n', 1)[0] ?? '')
  try {
    return make()
  } finally {
    console.warn = warn
  }
}

const unusable = (address: string, reason: string) =>
  new InvalidSetting(
    `the event store address ${hiddenAddress(address)} cannot be used: ${reason} It is written ${eventStoreDbForm}`,
  )

/** With `+discover` the client asks only the first host; of several without it, any that responds. */
const everyHost = (address: string): string =>
  address.replace(/^\s*esdb\+discover(?=:\/\/(?:[^@]*@)?[^/?@]*,)/, 'esdb')

const login = /^(?<scheme>(?:esdb|kurrentdb)(?:\+discover)?:\/\/)(?<username>[^:@/?]+):(?<password>[^@]+)@/

/** The deadline in the client's own option, in milliseconds. */
const deadlineIn = (address: string): number | undefined => {
  const [, millis] = /[?&]defaultDeadline=(\d+)(?:&|$)/i.exec(address.trim()) ?? []
  return millis === undefined ? undefined : Number(millis)
}

const nameOf = (address: string): string => address.replace(login, '$<scheme>').replace(/\/*\?.*$/, '')

/**
 * Without TLS the client never sends credentials, so any will do. With TLS and none in the address (a certificate
 * authenticates us, or nothing does), wrong ones would be rejected: servers that accept our batches need none.
 */
const credentialsOf = (address: string): Connection['credentials'] => {
  const { username, password } = login.exec(address.trim())?.groups ?? {}
  if (username !== undefined && password !== undefined)
    return {
      credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    }
  return /[?&]tls=false(&|$)/i.test(address)
    ? { credentials: { username: 'unused', password: 'unused' } }
    : undefined
}
