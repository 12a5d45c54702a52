import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, type ServiceError, status } from '@grpc/grpc-js'
import { v4 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cameTo, versions } from '../../../../fixtures/eventstoredb-record.ts'
import { namesScenario } from './names.ts'
import { kindsOf, nameOf, type Step, stepsOf } from './record.ts'
import { useRecorded } from './use-recorded.ts'

/* What the other tests rest on: the server of these tests answers a plain client as it is recorded. */

type Options = streams.AppendReq.Options | streams.DeleteReq.Options | streams.TombstoneReq.Options

const fill = <O extends Options>(options: O, { stream = '', expected = 'any' }: Step): O => {
  options.setStreamIdentifier(identifier(stream))
  if (typeof expected === 'number') options.setRevision(String(expected))
  else if (expected === 'none') options.setNoStream(new shared.Empty())
  else options.setAny(new shared.Empty())
  return options
}

const identifier = (stream: string): shared.StreamIdentifier => {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(nameOf(stream)))
  return name
}

const readRequest = (step: Step): streams.ReadReq => {
  const options = new streams.ReadReq.Options()
  if (step.stream !== undefined) {
    const of = new streams.ReadReq.Options.StreamOptions()
    of.setStreamIdentifier(identifier(step.stream))
    of.setStart(new shared.Empty())
    options.setStream(of)
  } else {
    const place = new streams.ReadReq.Options.Position()
    place.setCommitPosition(String(step.all))
    place.setPreparePosition(String(step.all))
    const all = new streams.ReadReq.Options.AllOptions()
    all.setPosition(place)
    options.setAll(all)
  }
  options.setReadDirection(step.back ? 1 : 0)
  options.setCount('10')
  options.setNoFilter(new shared.Empty())
  const uuids = new streams.ReadReq.Options.UUIDOption()
  uuids.setString(new shared.Empty())
  options.setUuidOption(uuids)
  const request = new streams.ReadReq()
  request.setOptions(options)
  return request
}

interface Ended {
  readonly code: string
  readonly details: string
  readonly trailers: Readonly<Record<string, string>>
}

const play = (client: streamServices.StreamsClient, step: Step): Promise<Ended> =>
  new Promise((resolve) => {
    const ended = (error: ServiceError | null) =>
      resolve({
        code: status[error?.code ?? status.OK],
        details: error?.details ?? '',
        trailers: Object.fromEntries(
          Object.entries(error?.metadata.getMap() ?? {}).filter(([key]) =>
            /^exception$|stream-|version/.test(key),
          ),
        ) as Ended['trailers'],
      })
    if (step.call === 'append') {
      const call = client.append((error) => ended(error))
      const first = new streams.AppendReq()
      first.setOptions(fill(new streams.AppendReq.Options(), step))
      call.write(first)
      const message = new streams.AppendReq.ProposedMessage()
      const id = new shared.UUID()
      id.setString(v4())
      message.setId(id)
      message.getMetadataMap().set('type', 'T').set('content-type', 'application/json')
      message.setData(Buffer.from('{}'))
      const second = new streams.AppendReq()
      second.setProposedMessage(message)
      call.write(second)
      call.end()
    } else if (step.call === 'delete') {
      const request = new streams.DeleteReq()
      request.setOptions(fill(new streams.DeleteReq.Options(), step))
      client.delete(request, (error) => ended(error))
    } else if (step.call === 'tombstone') {
      const request = new streams.TombstoneReq()
      request.setOptions(fill(new streams.TombstoneReq.Options(), step))
      client.tombstone(request, (error) => ended(error))
    } else {
      const call = client.read(readRequest(step))
      call.on('data', () => {})
      call.on('error', (error: ServiceError) => ended(error))
      call.on('end', () => ended(null))
    }
  })

describe.each(versions)('answers as recorded (%s)', (version) => {
  const useClient = async () => {
    const used = await useRecorded(version)
    const address = used.server.address.slice('esdb://'.length).replace(/\?.*/, '')
    const client = new streamServices.StreamsClient(address, credentials.createInsecure())
    onTestFinished(() => client.close())
    return { ...used, client }
  }

  it('names that trailers cannot hold, all 36 calls', async () => {
    const { client } = await useClient()
    const steps = stepsOf(namesScenario)
    expect(steps).toHaveLength(36)
    for (const step of steps) {
      const { details = '', trailers = {}, code } = cameTo(version, step).status
      const named = (text: string) => text.replaceAll(step.stream ?? '', nameOf(step.stream ?? ''))
      expect(await play(client, step)).toEqual({
        code,
        details: named(details),
        trailers: Object.fromEntries(Object.entries(trailers).map(([key, value]) => [key, named(value)])),
      })
    }
  })

  it.each([1, 7])('a read from place %d, which nobody was given', async (all) => {
    const { client } = await useClient()
    const step = stepsOf('read: everything').find((one) => one.call === 'read' && one.all === all)!
    expect(await play(client, step)).toEqual(cameTo(version, step).status)
    expect(kindsOf(cameTo(version, step))).toEqual([])
  })
})
