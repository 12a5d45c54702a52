import { volumeStream } from '../../domain/ingest/ids.ts'
import { volumeDecider } from '../../domain/ingest/volume/decide.ts'
import { type ClaimedUntil, claimed, claimTerms, type Holder, runIn } from './keep-claim.ts'

/** Claims the right to give out the room of a work volume; undefined while another process has it. */
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
