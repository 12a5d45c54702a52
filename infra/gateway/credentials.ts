import { createHash, timingSafeEqual } from 'node:crypto'
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
} from '@grpc/grpc-js'
import { CallFailed, toServiceError } from './call-failure.ts'

/** Clients call these before they send any credentials. They say no more than that a server is here. */
const openToAll = new Set([
  gossip.GossipService.read.path,
  features.ServerFeaturesService.getSupportedMethods.path,
] as string[])

/** Rejects every call that does not carry the token as the password of basic credentials. */
export const askCredentials = (token: string): ServerInterceptor => {
  const wanted = digest(token)
  return rejecting((metadata) => {
    const [header] = metadata.get('authorization')
    if (timingSafeEqual(digest(passwordOf(String(header ?? ''))), wanted)) return undefined
    return header
      ? 'the password is not the token of this gateway'
      : 'this gateway asks for basic credentials: any user name, its token as the password (clients send them over TLS only)'
  })
}

/** Rejects calls that came through a proxy: without a token the gateway serves this machine alone, and they may be from any. */
export const rejectProxied = (signOf: (names: readonly string[]) => string | undefined): ServerInterceptor =>
  rejecting((metadata) => {
    const sign = signOf(Object.keys(metadata.getMap()))
    return sign === undefined
      ? undefined
      : `without a token this gateway answers this machine alone, and this came through a proxy (${sign}): set FONDS_TOKEN`
  })

/** Rejects calls with the sentence that `reasonFor` returns. */
const rejecting =
  (reasonFor: (metadata: Metadata) => string | undefined): ServerInterceptor =>
  (method, call) => {
    if (openToAll.has(method.path)) return new ServerInterceptingCall(call)
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const reason = reasonFor(metadata)
        if (reason === undefined) return next(metadata)
        const {
          code,
          details,
          metadata: trailers,
        } = toServiceError(new CallFailed({ kind: 'Unauthenticated', reason }))
        call.sendStatus({ code, details, metadata: trailers })
      })
      .build()
    return new ServerInterceptingCall(
      call,
      new ResponderBuilder().withStart((next) => next(listener)).build(),
    )
  }

/** Digests have one length, so that comparing them tells nothing about the token. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const passwordOf = (header: string): string => {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header) ?? []
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
