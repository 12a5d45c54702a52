import { orThrow } from '../../async/unavailable.ts'
import { type Opened, openSealer, type SealerSystem } from './open-sealer.ts'

const pageEvents = 500

/** Seals what the log has now and signs the head. Returns why it cannot, where another home or a person has to act. */
export const sealNow = async (
  system: SealerSystem,
): Promise<Exclude<Opened, { kind: 'sealing' }> | undefined> => {
  const opened = await openSealer(system, new AbortController().signal)
  if (opened.kind !== 'sealing') return opened
  const { sealing } = opened
  try {
    for (let caughtUp = false; !caughtUp; ) {
      const page = await orThrow(system.eventStore.readStored(sealing.position, {}, pageEvents))
      await sealing.add(page)
      caughtUp = page.caughtUp
    }
    if (sealing.size > sealing.published.size) await sealing.publish()
    return undefined
  } finally {
    sealing.close()
  }
}
