import streams from '@eventstore/db-client/generated/streams_pb.js'
import { inFront } from './in-front.ts'

/**
 * A gateway that follows as EventStoreDB 24.10 does: a filtered subscription from the start, which reaches the end with
 * nothing passed, is told `confirmation`, `checkpoint` at 2^64−1, `caught_up`, and then what comes.
 */
export const as2410 = (port: number) => {
  const past = new WeakSet<streams.ReadReq>()
  return inFront(port, {
    told: (answer, asked) => {
      const options = asked.getOptions()
      if (!options?.hasFilter() || !options.getAll()?.hasStart() || past.has(asked)) return [answer]
      // Its window is larger than what is looked at here.
      if (answer.hasCheckpoint()) return []
      if (answer.hasEvent() || answer.hasCaughtUp()) past.add(asked)
      return answer.hasCaughtUp() ? [nowhereYet(), answer] : [answer]
    },
  })
}

export const nowhereYet = (): streams.ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint()
  checkpoint.setCommitPosition(String(2n ** 64n - 1n))
  checkpoint.setPreparePosition(String(2n ** 64n - 1n))
  const answer = new streams.ReadResp()
  answer.setCheckpoint(checkpoint)
  return answer
}
