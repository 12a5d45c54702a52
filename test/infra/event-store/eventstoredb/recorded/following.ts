import type shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type { Version } from '../../../../fixtures/eventstoredb-record.ts'
import { cameOf, errorOf, kindsOf } from './record.ts'

type Read = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** Events that wait for a follower: those of a larger append find no room. */
const liveBuffer = 100

const tooSlow = 'subscribe: a consumer too slow for one append'
const nothingPasses = 'subscribe: everything from the start with a filter that nothing passes'

interface Follower {
  /** What is sent for an answer of the gateway's. False where the call has ended by it. */
  tell(answer: streams.ReadResp): boolean
}

/** How a server of a version tells those who follow it. */
export const createFollowing = (version: Version) => {
  const live = new Set<{ room: number }>()
  const saysNowhere = kindsOf(cameOf(version, nothingPasses, { call: 'subscribe' })).includes('checkpoint')
  const whenTooSlow = cameOf(version, tooSlow, { call: 'subscribe' })

  return {
    /** An append of so many events begins. */
    appending: (count: number): void => {
      if (count > liveBuffer) for (const follower of live) follower.room = liveBuffer
    },

    follower: (call: Read): Follower => {
      const options = call.request.getOptions()
      const state = { room: Number.POSITIVE_INFINITY }
      const isFiltered = options?.hasFilter() === true && options.getAll()?.hasStart() === true
      let hasPassed = false
      call.on('close', () => live.delete(state))
      call.on('cancelled', () => live.delete(state))
      return {
        tell: (answer) => {
          if (answer.hasCaughtUp()) {
            if (saysNowhere && isFiltered && !hasPassed) call.write(nowhereYet())
            live.add(state)
          }
          // The server's window is larger than what is looked at in these tests.
          if (answer.hasCheckpoint() && isFiltered && !hasPassed) return true
          if (answer.hasEvent()) {
            hasPassed = true
            if (state.room-- === 0) {
              state.room = Number.POSITIVE_INFINITY
              if (whenTooSlow.status.code !== 'still open') {
                live.delete(state)
                call.emit('error', errorOf(whenTooSlow))
                return false
              }
              call.write(fellBehind())
              call.write(answer)
              call.write(caughtUp())
              return true
            }
          }
          call.write(answer)
          return true
        },
      }
    },
  }
}

/** A checkpoint at 2^64−1, or −1: where nothing has passed. */
const nowhereYet = (): streams.ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint()
  checkpoint.setCommitPosition(String(2n ** 64n - 1n))
  checkpoint.setPreparePosition(String(2n ** 64n - 1n))
  const answer = new streams.ReadResp()
  answer.setCheckpoint(checkpoint)
  return answer
}

const fellBehind = (): streams.ReadResp => {
  const answer = new streams.ReadResp()
  answer.setFellBehind(new streams.ReadResp.FellBehind())
  return answer
}

const caughtUp = (): streams.ReadResp => {
  const answer = new streams.ReadResp()
  answer.setCaughtUp(new streams.ReadResp.CaughtUp())
  return answer
}

export const confirmation = (): streams.ReadResp => {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId('subscription')
  const answer = new streams.ReadResp()
  answer.setConfirmation(confirmed)
  return answer
}

export const nameIn = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()
