import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import {
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  setLogger,
  status,
} from '@grpc/grpc-js'
import type { Logger } from 'pino'
import { createAppender } from '../event-store/sqlite/append.ts'
import { ddl, schemaVersion, upgrades } from '../event-store/sqlite/schema.ts'
import type { Database } from '../sqlite/database.ts'
import { ensureSchema } from '../sqlite/schema.ts'
import { clusterOfOne, endpointCalled, supportedMethods } from './about-server.ts'
import { createOutlet } from './answer-stream.ts'
import { createAppend, type RejectEvent } from './append.ts'
import { appendCall } from './append-call.ts'
import { batchAppendCall } from './batch-append-call.ts'
import { boundMessages } from './bound-messages.ts'
import { askCredentials, rejectProxied } from './credentials.ts'
import { createDeleteStream, deleteCall, tombstoneCall } from './delete-calls.ts'
import { createHandlers } from './handlers.ts'
import { openListener } from './listener.ts'
import { createLogReader } from './log.ts'
import { readOnce } from './read.ts'
import { readRequestOf } from './read-request.ts'
import { streamsService } from './read-service.ts'
import { subscribe } from './subscribe.ts'

interface GatewayOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Basic credentials are then asked of every call: any user name, the token as password. */
  readonly token?: string
  /** The name of a header that a proxy added, if any: such calls are rejected where there is no token. */
  readonly proxySign?: (names: readonly string[]) => string | undefined
  /**
   * A sentence where this event may not be appended to this stream; undefined where it may. Called for every event before
   * anything is written; for metadata (`$metadata`) and deletions (`$metadata`, `$streamDeleted`) as events of the stream
   * that they are about.
   */
  readonly reject: RejectEvent
  readonly log?: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** Epoch milliseconds. */
  readonly clock?: () => number
}

interface RunningGateway {
  readonly port: number
  /** Ends all calls as UNAVAILABLE; cuts off clients that have not taken that after `graceMillis` (default 5,000). */
  stop(graceMillis?: number): Promise<void>
}

/**
 * The embedded log, spoken to as an EventStoreDB of one node: streams, the whole log, subscriptions with filters, links,
 * stream metadata, deletion. `$acl` is stored and not enforced; persistent subscriptions, projections, users and operations
 * are not implemented. Rejects with a sentence when the port cannot be had.
 */
export const startGateway = async (db: Database, options: GatewayOptions): Promise<RunningGateway> => {
  const { host, port, tls, token, proxySign, reject, log: logger, clock = Date.now } = options
  boundMessages()
  ensureSchema(db.writer, 'event-store', schemaVersion, ddl, upgrades)
  const writer = createAppender(db.writer, clock)
  const log = createLogReader(db.reader, clock)
  const stopping = new AbortController()
  const append = createAppend(db, writer, log.head, reject, stopping.signal)
  const deleteStream = createDeleteStream(db, log, writer, reject)
  const { unary, clientStream, serverStream, duplex, toCallFailed } = createHandlers(logger, stopping.signal)
  let bound = port
  // The library prints failures that its calls also return.
  const toLog = (...words: readonly unknown[]) => logger?.debug({ text: words.map(String) }, 'gRPC')
  setLogger({ error: toLog, info: toLog, debug: toLog })

  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    // Finds clients that vanished without closing their connection.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    interceptors: [
      sayingTooLarge,
      ...(token !== undefined ? [askCredentials(token)] : proxySign ? [rejectProxied(proxySign)] : []),
    ],
  })
  server.addService(streamsService, {
    append: clientStream((call) => appendCall(append, call)),
    batchAppend: duplex((call) => batchAppendCall(append, toCallFailed, call, stopping.signal)),
    delete: unary((call) => deleteCall(deleteStream, call.request)),
    tombstone: unary((call) => tombstoneCall(deleteStream, call.request)),
    read: serverStream((call) => {
      const request = readRequestOf(call.request)
      const outlet = createOutlet(call, stopping.signal)
      return request.limit === 'subscription'
        ? subscribe(db, log, request, outlet)
        : readOnce(log, request, request.limit, outlet)
    }),
  })
  server.addService(featureServices.ServerFeaturesService, {
    getSupportedMethods: unary(async () => supportedMethods()),
  })
  server.addService(gossipServices.GossipService, {
    read: unary(async (call) => clusterOfOne(...endpointCalled(call.getHost(), bound))),
  })

  const listener = await openListener(server, credentialsOf(tls), host, port)
  bound = listener.port
  logger?.info({ host, port: bound, tls: tls !== undefined }, 'the gateway is listening')
  return {
    port: bound,
    stop: async (graceMillis = 5000) => {
      stopping.abort()
      await listener.close(graceMillis)
    },
  }
}

/** As EventStoreDB. An append may have less, so one that is too large is mostly rejected by name and not by gRPC. */
const maxMessageBytes = 16 * 1024 * 1024

/** A message that is too large for the library is refused by it, in words of its own: this says it as EventStoreDB does. */
const sayingTooLarge: ServerInterceptor = (_, call) => {
  const send = call.sendStatus.bind(call)
  call.sendStatus = (sent) =>
    send(sent.code === status.RESOURCE_EXHAUSTED ? { ...sent, details: tooLarge } : sent)
  return new ServerInterceptingCall(call)
}

const tooLarge = 'Received message exceeds the maximum configured message size.'

const credentialsOf = (tls: GatewayOptions['tls']): ServerCredentials =>
  tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) },
      ])
    : ServerCredentials.createInsecure()
