import type { ProofLog } from '../../ports/proof-log.ts'
import { lastReplaced, setTreeMark, treeMark } from '../../processors/runtime/tree-mark.ts'
import { newOrigin } from '../../workflows/system/replace-tree.ts'
import type { System } from '../system.ts'
import type { SealedLeaf } from './find-place.ts'
import { beginSealing, openSealing } from './open-sealing.ts'
import { openHead, originIn } from './open-tree.ts'
import { type FindOvertaken, findOvertaken } from './overtaken.ts'
import { keysBeside, keysToUse, retiring } from './replace-keys.ts'
import type { Sealing } from './sealing.ts'
import { verifiersOf } from './signers.ts'
import { whichTree } from './which-tree.ts'

export type SealerSystem = Pick<
  System,
  | 'eventStore'
  | 'clock'
  | 'log'
  | 'config'
  | 'proofLog'
  | 'proofPolicy'
  | 'proofFilesAt'
  | 'postCheckpoint'
  | 'timeStamper'
>

/** The tree that this home extends. */
export type Opened =
  | { readonly kind: 'sealing'; readonly sealing: Sealing; readonly origin: string; readonly headAt: string }
  | { readonly kind: 'elsewhere'; readonly origin: string }
  /** Others hold more of the tree than is here, or another one of its name. */
  | { readonly kind: 'overtaken'; readonly origin: string; readonly reason: string }
  | { readonly kind: 'behind'; readonly origin: string; readonly missing: SealedLeaf }
  /** The keys are here, and the head that they signed is not. */
  | { readonly kind: 'headless'; readonly origin: string; readonly folder: string }
  | { readonly kind: 'keyless'; readonly origin: string; readonly keyFolder: string }

/** Throws `UnavailableError`, `BrokenTree`, and errors of notes for a head that is not ours. */
export const openSealer = async (
  system: SealerSystem,
  signal: AbortSignal,
  overtaken: FindOvertaken = findOvertaken(system),
): Promise<Opened> => {
  const { eventStore, clock } = system
  const files = await system.proofLog()
  const head = await files.head()
  const decision = await decide(system, files)
  if (decision.kind === 'elsewhere' || decision.kind === 'headless') return decision
  const now = () => Date.parse(clock.now())
  if (decision.kind === 'begin') {
    const sealing = await beginSealing({ files, eventStore, now, keys: await files.makeKeys() }, decision)
    await markOrClose(system, decision.origin, sealing)
    return { kind: 'sealing', sealing, origin: decision.origin, headAt: clock.now() }
  }
  const origin = originIn(head!.text)
  const keys = await files.keys()
  if (!keys) return { kind: 'keyless', origin, keyFolder: files.keyFolder }
  const verifiers = verifiersOf(origin, keys)
  const retired = await files.retiredKeys()
  const reason = await overtaken({
    ...{ files, keys: verifiers, retired, head: openHead(head!.text, verifiers) },
    signal,
  })
  if (reason !== undefined) return { kind: 'overtaken', origin, reason }
  const places = { eventStore, files, origin, now }
  const next = await keysToUse(places)
  const last = await keysBeside(places)
  if (last === 'over') await files.dropLastKeys()
  const beside = [next, last === 'over' ? undefined : last].filter((one) => one !== undefined)
  const sealing = await openSealing({ files, eventStore, now, keys, beside }, { origin, text: head!.text })
  if ('missing' in sealing) return { kind: 'behind', origin, ...sealing }
  if (next) {
    // A head that both signed, before the new ones count alone.
    await publishOnce(sealing)
    await files.useNextKeys(await retiring(places, sealing.published.size))
    return openSealer(system, signal, overtaken)
  }
  await markOrClose(system, origin, sealing)
  return { kind: 'sealing', sealing, origin, headAt: head!.at }
}

const publishOnce = async (sealing: Sealing): Promise<void> => {
  try {
    await sealing.publish()
  } finally {
    sealing.close()
  }
}

/** Which tree is to be extended, or begun, here and now. */
export const decide = async (system: SealerSystem, files: ProofLog) => {
  const head = await files.head()
  const replaced = await lastReplaced(system.eventStore)
  const found = whichTree({
    here: head && originIn(head.text),
    mark: await treeMark(system.eventStore),
    ordered: replaced && {
      origin: replaced.origin,
      instead: { earlier: replaced.earlier, event: replaced.id },
    },
    first: await newOrigin(system),
  })
  // Another home's tree has its keys there.
  const isLost = found.kind === 'elsewhere' && !head && (await files.keys()) !== undefined
  return isLost ? { kind: 'headless' as const, origin: found.origin, folder: files.folder } : found
}

const markOrClose = async ({ eventStore }: SealerSystem, origin: string, sealing: Sealing): Promise<void> => {
  try {
    await setTreeMark(eventStore, origin)
  } catch (error) {
    sealing.close()
    throw error
  }
}
