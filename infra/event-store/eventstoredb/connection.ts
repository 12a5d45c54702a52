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
import { type Batches, createBatches } from './wire/batches.ts'
import { type Calls, callsOf } from './wire/calls.ts'

/** A server and how to talk to it. */
export interface Connection {
  /** For what is asked seldom. */
  readonly client: EventStoreDBClient
  /** On the client's channel. */
  readonly calls: Calls
  /** Appends, on a channel of their own: they wait behind nothing that is read. */
  readonly batches: Batches
  /** What to call the server in messages: its address without name, password and options. */
  readonly name: string
  /**
   * Goes with every append of the client's: with credentials of its own a call takes its `Append`, which keeps a deadline
   * and keeps clients apart. Its `BatchAppend` does neither.
   */
  readonly credentials: { readonly credentials: Credentials } | undefined
  /** Positions that this process was given. */
  readonly places: Places
  readonly log: Pick<Logger, 'warn'> | undefined
  /** Milliseconds without an answer after which a call fails. */
  readonly timeoutMillis: number
  /** The client lives until everybody who opened it has closed it. */
  close(): Promise<void>
}

interface Shared {
  readonly client: EventStoreDBClient
  /** Finds the server for appends, and sends nothing itself. */
  readonly appending: EventStoreDBClient
  users: number
}

/** By address. Each client has a connection of its own, and finds the leader of the cluster by itself. */
const clients = new Map<string, Shared>()

const defaultTimeoutMillis = 10_000

interface ConnectOptions {
  readonly log?: Connection['log']
  /** For who cannot wait as long as others. */
  readonly deadlineMillis?: number
}

/** Makes no call. Throws `InvalidSetting` where the address cannot be read, or names files that cannot. */
export const connect = (
  address: string,
  { log, deadlineMillis = defaultTimeoutMillis }: ConnectOptions = {},
): Connection => {
  const shared = clients.get(address) ?? {
    client: createClient(address),
    appending: createClient(address),
    users: 0,
  }
  clients.set(address, shared)
  shared.users++
  const timeoutMillis = Math.min(deadlineMillis, deadlineIn(address) ?? defaultTimeoutMillis)
  let closed = false
  return {
    client: shared.client,
    calls: callsOf(shared.client),
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

const createClient = (address: string): EventStoreDBClient => {
  let client: EventStoreDBClient
  try {
    client = EventStoreDBClient.connectionString(everyHost(asEsdb(address)))
  } catch (error) {
    // The message quotes the address, which may hold a password.
    throw unusable(address, (error as Error).message.replace(/"[\s\S]*"/, 'text'))
  }
  if (!isEventStoreDbAddress(address)) throw unusable(address, 'it is not written as it must be.')
  return guarded(client)
}

const unusable = (address: string, reason: string) =>
  new InvalidSetting(
    `the event store address ${hiddenAddress(address)} cannot be used: ${reason} It is written ${eventStoreDbForm}`,
  )

/** With `+discover` the client asks the first host alone; of several without it, whichever answers. */
const everyHost = (address: string): string =>
  address.replace(/^\s*esdb\+discover(?=:\/\/(?:[^@]*@)?[^/?@]*,)/, 'esdb')

const login = /^(?<scheme>(?:esdb|kurrentdb)(?:\+discover)?:\/\/)(?<username>[^:@/?]+):(?<password>[^@]+)@/

/** The vendor's setting, in milliseconds. */
const deadlineIn = (address: string): number | undefined => {
  const [, millis] = /[?&]defaultDeadline=(\d+)(?:&|$)/i.exec(address.trim()) ?? []
  return millis === undefined ? undefined : Number(millis)
}

const nameOf = (address: string): string => address.replace(login, '$<scheme>').replace(/\/*\?.*$/, '')

/**
 * Without TLS the client never sends credentials, so any will do. With TLS and none in the address (a certificate
 * speaks for us, or nobody), wrong ones would be rejected: servers that take our batches need none.
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
