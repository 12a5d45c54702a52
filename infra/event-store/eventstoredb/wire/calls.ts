import type { EventStoreDBClient } from '@eventstore/db-client'
import {
  type CallOptions,
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js'

/*
 * Calls of our own, on the channel of a client of the vendor's: that finds the server (TLS, login, the leader of a cluster)
 * and finds it again when it goes away. What is sent and what comes is bytes, for codecs that are faster than the client's.
 */

/** Private members of the client. */
interface Inside {
  GRPCStreamCreator<S>(of: typeof Client, name: string, create: (client: Client) => S): () => Promise<S>
  execute<A>(of: typeof Client, name: string, work: (client: Client) => Promise<A>): Promise<A>
  callArguments(base: object, options?: CallOptions): [Metadata, CallOptions]
  handleError(client: Client, error: Error): Promise<void>
}

type Decode<A> = (bytes: Buffer) => A

export interface Calls {
  /** One answer, before the client's deadline. Rejects with gRPC's error. */
  ask<A>(path: string, request: Buffer, decode: Decode<A>): Promise<A>
  /** Many answers. A message that `decode` throws at ends the call. */
  read<A>(path: string, request: Buffer, decode: Decode<A>): Promise<ClientReadableStream<A>>
  /** Messages both ways. */
  talk<A>(path: string, decode: Decode<A>): Promise<ClientDuplexStream<Buffer, A>>
}

const asItIs = (bytes: Buffer): Buffer => bytes

export const callsOf = (client: EventStoreDBClient): Calls => {
  const inside = client as unknown as Inside
  const withoutDeadline = () => inside.callArguments({}, { deadline: Number.POSITIVE_INFINITY })
  const open = <S>(create: (client: Client) => S): Promise<S> =>
    inside.GRPCStreamCreator(Client, 'fonds', create)()

  return {
    ask: (path, request, decode) =>
      inside.execute(
        Client,
        'fonds',
        (client) =>
          new Promise((resolve, reject) => {
            const done = (error: ServiceError | null, answer?: Parameters<typeof resolve>[0]) =>
              error || answer === undefined ? reject(error) : resolve(answer)
            client.makeUnaryRequest(path, asItIs, decode, request, ...inside.callArguments({}), done)
          }),
      ),
    read: (path, request, decode) =>
      open((client) => client.makeServerStreamRequest(path, asItIs, decode, request, ...withoutDeadline())),
    talk: (path, decode) =>
      open((client) => client.makeBidiStreamRequest(path, asItIs, decode, ...withoutDeadline())),
  }
}
