import { setImmediate } from 'node:timers/promises'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { type ClientReadableStream, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { v4 } from 'uuid'
import { appendAnswer, batchAnswer, deleteAnswer, featuresAnswer, readMessage, statusOf } from './answers.ts'
import { createNames } from './names.ts'
import type { CallStep, Came, Json, ReadStep } from './record.ts'
import { appendRequests, batchRequest, deleteRequest, readRequest, tombstoneRequest } from './requests.ts'

/** Milliseconds after which a call counts as one that is not answered. */
const deadline = 30_000
/** What is done in the meantime has then arrived on the same connection, too. */
const roundTrips = 5

type Callback<A> = (error: ServiceError | null, answer?: A) => void

/** Plays steps of one scenario to a server; what came is in the record's form. */
export const createPlayer = (address: string) => {
  const client = new streamServices.StreamsClient(address, credentials.createInsecure())
  const featuresClient = new featureServices.ServerFeaturesClient(address, credentials.createInsecure())
  const names = createNames()

  const options = () => ({ deadline: Date.now() + deadline })
  const statusFrom = (error: ServiceError | null): Json =>
    error?.code === status.DEADLINE_EXCEEDED ? { code: 'no answer' } : statusOf(error)

  const answered = <A>(form: (answer: A) => Json, call: (callback: Callback<A>) => void): Promise<Came> =>
    new Promise((resolve) =>
      call((error, answer) =>
        resolve({ ...(answer && !error ? { answer: form(answer) } : {}), status: statusFrom(error) }),
      ),
    )

  const roundTrip = async (): Promise<void> => {
    for (let n = 0; n < roundTrips; n++) {
      await answered(featuresAnswer, (callback) =>
        featuresClient.getSupportedMethods(new shared.Empty(), callback),
      )
      await setImmediate()
    }
  }

  const collect = (call: ClientReadableStream<streams.ReadResp>) => {
    const messages: Json[] = []
    let ended: Json | undefined
    const end = new Promise<void>((resolve) => {
      const finish = (error: ServiceError | null) => {
        ended ??= statusFrom(error)
        resolve()
      }
      call.on('data', (response: streams.ReadResp) => {
        learn(response)
        messages.push(readMessage(response, names))
      })
      call.on('error', finish)
      call.on('end', () => finish(null))
    })
    return { messages, end, ended: () => ended }
  }

  const learn = (response: streams.ReadResp): void => {
    const read = response.getEvent()
    for (const event of [read?.getEvent(), read?.getLink()]) {
      const id = event?.getId()?.getString()
      if (event && id) names.place(names.nameOf(id), event.getCommitPosition())
    }
  }

  const start = (step: ReadStep) => {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(step.headers ?? {})) metadata.set(name, value)
    return client.read(readRequest(step, names), metadata, step.call === 'read' ? options() : {})
  }

  const read = async (step: ReadStep): Promise<Came> => {
    const { messages, end, ended } = collect(start(step))
    await end
    return { messages, status: ended() }
  }

  /** `meanwhile` runs once the subscription has said all that it has to say of what is there. */
  const subscribe = async (step: ReadStep, meanwhile: () => Promise<void>): Promise<Came> => {
    const call = start(step)
    const { messages, ended } = collect(call)
    await quiet(messages)
    await meanwhile()
    await quiet(messages)
    const came = { messages: [...messages], status: ended() ?? { code: 'still open' } }
    call.cancel()
    return came
  }

  const quiet = async (messages: readonly Json[]): Promise<void> => {
    let before: number
    do {
      before = messages.length
      await roundTrip()
    } while (messages.length > before)
  }

  const batch = (parts: Extract<CallStep, { call: 'batchAppend' }>['parts']): Promise<Came> =>
    new Promise((resolve) => {
      const ids = new Map<number, string>()
      const answers: Json[] = []
      const expected = parts.filter(({ final }) => final !== false).length
      const call = client.batchAppend(options())
      const finish = (came: Json) => resolve({ answers, status: came })
      call.on('data', (response: streams.BatchAppendResp) => {
        answers.push(batchAnswer(response, [...ids.values()]))
        if (answers.length < expected) return
        finish({ code: 'answered' })
        call.end()
      })
      call.on('error', (error: ServiceError) => finish(statusFrom(error)))
      for (const part of parts) {
        const id = ids.get(part.c ?? 0) ?? v4()
        ids.set(part.c ?? 0, id)
        call.write(batchRequest(part, id, names))
      }
    })

  const play = (step: CallStep, meanwhile: () => Promise<void>): Promise<Came> => {
    switch (step.call) {
      case 'serverFeatures':
        return answered(featuresAnswer, (callback) =>
          featuresClient.getSupportedMethods(new shared.Empty(), callback),
        )
      case 'append': {
        const { stream, expected, events, headers = {} } = step
        const metadata = new Metadata()
        for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
        return answered(appendAnswer, (callback) => {
          const call = client.append(metadata, options(), callback)
          for (const request of appendRequests(stream, expected, events, names)) call.write(request)
          call.end()
        })
      }
      case 'batchAppend':
        return batch(step.parts)
      case 'delete':
        return answered(deleteAnswer, (callback) =>
          client.delete(deleteRequest(step.stream, step.expected), new Metadata(), options(), callback),
        )
      case 'tombstone':
        return answered(deleteAnswer, (callback) =>
          client.tombstone(tombstoneRequest(step.stream, step.expected), new Metadata(), options(), callback),
        )
      case 'read':
        return read(step)
      case 'subscribe':
        return subscribe(step, meanwhile)
    }
  }

  return {
    play,
    /** Learns where all events are, so that positions can be named. */
    learnPositions: async (): Promise<void> => {
      await read({ call: 'read', all: 'start', count: 100_000 })
    },
    /** With the names of events in the place of positions. */
    named: (came: Came): Came => replaced(came, names.eventAt),
    close: () => {
      client.close()
      featuresClient.close()
    },
  }
}

const positionKeys = new Set(['position', 'commit_position', 'prepare_position'])

const replaced = <A>(value: A, eventAt: (position: string) => string): A =>
  JSON.parse(
    JSON.stringify(value, (key, inner) =>
      positionKeys.has(key) && typeof inner === 'string' && /^\d+$/.test(inner) ? eventAt(inner) : inner,
    ),
  )
