import { isLeft } from 'fp-ts/lib/Either.js'
import type { SealedLeaf } from '#src/app/proof/find-place.ts'
import { beginSealing, openSealing } from '#src/app/proof/open-sealing.ts'
import type { Sealing } from '#src/app/proof/sealing.ts'
import type { Begun } from '#src/app/proof/which-tree.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { proofLogIn } from './tree-of-log.ts'

export const origin = 'archive.example/log'

/** Opens the tree of a folder, or begins one, as each start does. */
export const openIn = async (
  folder: string,
  eventStore: EventStore,
  begun: Begun = { origin },
): Promise<Sealing | { readonly missing: SealedLeaf }> => {
  const files = proofLogIn(folder)
  const head = await files.head()
  const deps = { files, eventStore, now: () => 1_000_000 }
  if (!head || begun.instead) return beginSealing({ ...deps, keys: await files.makeKeys() }, begun)
  return openSealing(
    { ...deps, keys: (await files.keys())! },
    { origin: head.text.split('\n', 1)[0]!, text: head.text },
  )
}

export const sealIn = async (folder: string, eventStore: EventStore): Promise<Sealing> => {
  const sealing = await openIn(folder, eventStore)
  if ('missing' in sealing) throw new Error(`leaf ${sealing.missing.index} is missing`)
  return sealing
}

/** Seals what is there, a few events at a time, with a head after each `perHead` of them and at the end. */
export const sealAll = async (
  folder: string,
  eventStore: EventStore,
  { perRead = 7, perHead = 20n } = {},
): Promise<void> => {
  const sealing = await sealIn(folder, eventStore)
  try {
    for (let caughtUp = false; !caughtUp; ) {
      const page = await eventStore.readStored(sealing.position, {}, perRead)()
      if (isLeft(page)) throw new Error(page.left.reason)
      await sealing.add(page.right)
      caughtUp = page.right.caughtUp
      const grown = sealing.size - sealing.published.size
      if (grown >= perHead || (caughtUp && grown > 0n)) await sealing.publish()
    }
  } finally {
    sealing.close()
  }
}
