import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  credentials,
  type handleClientStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type ServiceError,
} from '@grpc/grpc-js'
import type { Version } from '../../../../fixtures/eventstoredb-record.ts'
import { confirmation, createFollowing, nameIn } from './following.ts'
import { withRawName } from './names.ts'
import { asGatewayReads, asServerAppended, asServerTells, placeOf, refusalOf } from './positions.ts'

export interface RecordedServer {
  readonly address: string
  /** From where everything was read or followed, in the order of the calls: `start`, `end`, a position. */
  readonly asked: string[]
  close(): void
}

/**
 * A server that answers as one of the recorded versions, over a gateway that keeps its log. Clients do without the list
 * of features, which it does not have.
 */
export const asRecorded = async (port: number, version: Version): Promise<RecordedServer> => {
  const behind = new streamServices.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const asked: string[] = []
  const following = createFollowing(version)

  const read = (call: ServerWritableStream<streams.ReadReq, streams.ReadResp>) => {
    const options = call.request.getOptions()
    const all = options?.getAll()
    if (all) asked.push(placeOf(all))
    const refusal = refusalOf(version, call.request)
    if (refusal) {
      if (refusal.confirmed) call.write(confirmation())
      call.emit('error', refusal.error)
      return
    }
    const name = nameIn(options?.getStream()?.getStreamIdentifier())
    const answers = behind.read(asGatewayReads(call.request))
    const { tell } = options?.hasSubscription() ? following.follower(call) : { tell: pass(call) }
    let over = false
    call.on('cancelled', () => answers.cancel())
    answers.on('error', (error: ServiceError) => {
      if (!over) call.emit('error', withRawName(version, 'read', name, error))
    })
    answers.on('end', () => call.end())
    answers.on('data', (answer: streams.ReadResp) => {
      if (over || tell(asServerTells(answer))) return
      over = true
      answers.cancel()
    })
  }

  const append: handleClientStreamingCall<streams.AppendReq, streams.AppendResp> = (call, callback) => {
    let name = ''
    let count = 0
    const asking = behind.append((error, answer) =>
      error
        ? callback(withRawName(version, 'append', name, error))
        : callback(null, asServerAppended(answer)),
    )
    call.on('data', (part: streams.AppendReq) => {
      const options = part.getOptions()
      if (options) name = nameIn(options.getStreamIdentifier())
      else count++
      asking.write(part)
    })
    call.on('end', () => {
      following.appending(count)
      asking.end()
    })
  }

  const remove: handleUnaryCall<streams.DeleteReq, streams.DeleteResp> = ({ request }, callback) => {
    const name = nameIn(request.getOptions()?.getStreamIdentifier())
    behind.delete(request, (error, answer) =>
      error ? callback(withRawName(version, 'delete', name, error)) : callback(null, answer),
    )
  }

  const bury: handleUnaryCall<streams.TombstoneReq, streams.TombstoneResp> = ({ request }, callback) => {
    const name = nameIn(request.getOptions()?.getStreamIdentifier())
    behind.tombstone(request, (error, answer) =>
      error ? callback(withRawName(version, 'tombstone', name, error)) : callback(null, answer),
    )
  }

  const server = new Server()
  const { read: reading, append: appending, delete: deleting, tombstone } = streamServices.StreamsService
  server.addService(
    { read: reading, append: appending, delete: deleting, tombstone },
    { read, append, delete: remove, tombstone: bury },
  )
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    )
  })
  return {
    address: `esdb://127.0.0.1:${bound}?tls=false`,
    asked,
    close: () => {
      server.forceShutdown()
      behind.close()
    },
  }
}

const pass =
  (call: ServerWritableStream<streams.ReadReq, streams.ReadResp>) =>
  (answer: streams.ReadResp): boolean => {
    call.write(answer)
    return true
  }
