import { toBase64 } from '@fonds/tlog'
import { emptyTree } from '@fonds/tlog/compute'
import { orThrow } from '../../../async/unavailable.ts'
import {
  sealedStreamsEvents,
  sealedStreamsRecord,
  sealedStreamsStream,
} from '../../../domain/kernel/proof/streams-sealed.ts'
import { DAY, MINUTE } from '../../../domain/kernel/time.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import type { System } from '../../system.ts'
import type { DailyStatements } from '../run-sealer.ts'
import type { Sealing } from '../sealing.ts'
import { rowsText } from './stream-rows.ts'

type SealedSystem = Pick<System, 'eventStore' | 'execute' | 'clock' | 'log' | 'proofLog'>

/** Between two questions whether it is due. A process that runs for less has other work. */
const pollMillis = 10 * MINUTE

/** Fewer leaves behind a statement are a megabyte of entries, which an export can have. */
const leastLeaves = 4096n

/** States once a day the newest leaf of every stream, where the tree grew. A failure is logged, and it is tried again later. */
export const createStreamSeals = (system: SealedSystem): DailyStatements => {
  const { clock, log } = system
  let last = clock.monotonic()
  return {
    ifDue: async (signal, origin, sealing) => {
      // Nothing is stated of leaves that nobody was shown.
      const isPublished = sealing.size === sealing.published.size
      if (!isPublished || clock.monotonic() - last < pollMillis) return
      last = clock.monotonic()
      try {
        if (await isDue(system, origin, sealing.size)) await sealStreams(system, origin, sealing, signal)
      } catch (error) {
        if (!signal.aborted)
          log.warn(
            { err: error, part: 'sealer' },
            'cannot state the newest leaves of streams; retrying later',
          )
      }
    },
  }
}

const isDue = async (
  { eventStore, clock }: Pick<SealedSystem, 'eventStore' | 'clock'>,
  origin: string,
  size: bigint,
): Promise<boolean> => {
  const [event] = await orThrow(eventStore.read(sealedStreamsStream, 'end', 'backward', 1))
  const before = event && readOrStop(sealedStreamsEvents, event).data
  if (before?.origin !== origin) return size >= leastLeaves
  return size - BigInt(before.size) >= leastLeaves && Date.parse(clock.now()) - Date.parse(before.at) >= DAY
}

/** Keeps the rows, from which exports take theirs, and states their root. */
export const sealStreams = async (
  { execute, clock, proofLog }: Pick<SealedSystem, 'execute' | 'clock' | 'proofLog'>,
  origin: string,
  sealing: Pick<Sealing, 'size' | 'streams'>,
  signal: AbortSignal,
): Promise<void> => {
  const tree = emptyTree()
  const { size } = sealing
  const files = await proofLog()
  await files.keepStreamRows(size, rowsText(sealing.streams(), tree, signal))
  const at = clock.now()
  await orThrow(() =>
    execute(sealedStreamsRecord, {
      stream: sealedStreamsStream,
      command: {
        ...{ type: 'Seal', actor: 'fonds/sealer', at, origin },
        ...{ size: `${size}`, streams: Number(tree.size), root: toBase64(tree.root()) },
      },
      causationId: `${sealedStreamsStream}/${origin}/${size}`,
    }),
  )
}
