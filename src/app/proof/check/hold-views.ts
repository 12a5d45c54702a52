import type { Generation } from '../../../ports/view-store.ts'
import { generationOf } from '../../../workflows/system/accept-differences.ts'
import { type HeldViews, heldIn, keepHeld } from '../../../workflows/system/held-views.ts'
import type { System } from '../../system.ts'
import type { Examined } from './examine-log.ts'

/** Notes that rebuilt views wait, and for what; earlier ones of their projection are dropped. Throws `UnavailableError`. */
export const holdViews = async (
  { proofLog, viewStore, clock }: Pick<System, 'proofLog' | 'viewStore' | 'clock'>,
  { projection, version, id }: Generation,
  { origin, digest, count, first }: Examined,
): Promise<void> => {
  const files = await proofLog()
  const held = await heldIn(files)
  for (const one of held.filter((each) => each.projection === projection)) {
    const earlier = generationOf(viewStore, one)
    if (earlier) viewStore.drop(earlier)
  }
  const now: HeldViews = {
    ...{ projection, version, generation: id, at: clock.now() },
    ...{ origin, digest, count, first: [...first] },
  }
  await keepHeld(files, [...held.filter((one) => one.projection !== projection), now])
}
