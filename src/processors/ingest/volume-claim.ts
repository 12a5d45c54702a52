import { volumeStream } from '../../domain/ingest/ids.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { volumeDecider } from '../../domain/ingest/volume/decide.ts'
import { is, tally } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { type ClaimedUntil, claimed, claimTerms, type Holder, runIn } from './keep-claim.ts'

/** The right to give out the room of a work volume; undefined while another process has it. */
export const claimVolume = async (
  volume: string,
  holder: Holder,
): Promise<ClaimedUntil<{ readonly volume: string; readonly fence: number }> | undefined> => {
  const where = { decider: volumeDecider, stream: volumeStream(volume) }
  const outcome = await runIn(holder, where, { type: 'ClaimVolume', ...claimTerms(holder) })
  if (outcome.kind !== 'done' || !outcome.result) return undefined
  const { result: lease, correlationId } = outcome
  const task = { volume, fence: lease.fence }
  return claimed(holder, where, lease, { task, correlationId, fail: async () => {} })
}

/**
 * Bytes promised to jobs that have room and whose files are not all there yet. A job of unknown size counts as
 * `unknownBytes`.
 */
export const promisedBytes = (views: Pick<Views, 'tally'>, unknownBytes: number): number => {
  const downloading = is('state', 'downloading')
  const known = tally(views, jobs, {
    by: [],
    sum: ['spaceNeeded'],
    where: [downloading, is('sizeKnown', 1)],
  })[0]
  const unknown = tally(views, jobs, { by: [], where: [downloading, is('sizeKnown', 0)] })[0]
  return Number(known?.spaceNeeded ?? 0) + (unknown?.count ?? 0) * unknownBytes
}
