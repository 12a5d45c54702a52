import { orThrow } from '../../../async/unavailable.ts'
import {
  sealedStreamsEvents,
  sealedStreamsRecord,
  sealedStreamsStream,
} from '../../../domain/kernel/proof/statements.ts'
import { DAY } from '../../../domain/kernel/time.ts'
import type { CommittedHeads, HeadsPlace } from '../../../ports/proof-log.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import { inMoment, sealOfStreams } from '../../../workflows/system/seal-streams.ts'
import type { System } from '../../system.ts'
import type { DailyStatement } from '../daily-statements.ts'

type SealedSystem = Pick<System, 'eventStore' | 'execute' | 'clock' | 'proofLog'>

/** Fewer leaves behind a statement are a megabyte of entries, which an export can have. */
const leastLeaves = 4096n

/** States once a day the newest leaf of every stream, where the tree grew. */
export const createStreamSeals = (system: SealedSystem): DailyStatement => ({
  what: 'state the newest leaves of streams',
  state: async (signal) => {
    await inMoment(await system.proofLog(), async (leaves) => {
      if (await isDue(system, leaves.place)) await sealStreams(system, leaves, signal)
    })
  },
})

const isDue = async (
  { eventStore, clock }: Pick<SealedSystem, 'eventStore' | 'clock'>,
  { origin, size }: Pick<HeadsPlace, 'origin' | 'size'>,
): Promise<boolean> => {
  const [event] = await orThrow(eventStore.read(sealedStreamsStream, 'end', 'backward', 1))
  const before = event && readOrStop(sealedStreamsEvents, event).data
  if (before?.origin !== origin) return size >= leastLeaves
  return size - BigInt(before.size) >= leastLeaves && Date.parse(clock.now()) - Date.parse(before.at) >= DAY
}

/** Keeps the rows, from which exports take theirs, and states their root. */
export const sealStreams = async (
  { execute, clock, proofLog }: Pick<SealedSystem, 'execute' | 'clock' | 'proofLog'>,
  leaves: Pick<CommittedHeads, 'place' | 'all'>,
  signal: AbortSignal,
): Promise<void> => {
  const sealed = await sealOfStreams(await proofLog(), leaves, signal)
  const at = clock.now()
  await orThrow(() =>
    execute(sealedStreamsRecord, {
      stream: sealedStreamsStream,
      command: { type: 'Seal', actor: 'fonds/sealer', at, data: { ...sealed, at } },
      causationId: `${sealedStreamsStream}/${sealed.origin}/${sealed.size}`,
    }),
  )
}
