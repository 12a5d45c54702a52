import * as E from 'fp-ts/lib/Either.js'
import { GenerationMissing } from '../../async/errors.ts'
import type { DifferencesAccepted } from '../../domain/kernel/proof/tree-events.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Generation, ViewStore } from '../../ports/view-store.ts'
import { takePlace } from '../../projections/runtime/rebuild.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { projectionsOf } from '../workflow-model.ts'
import { type HeldViews, heldIn, keepHeld } from './held-views.ts'

export type Accepted = Pick<DifferencesAccepted, 'origin' | 'digest' | 'count' | 'first'>

/** The differences for which rebuilt views wait in this home. Throws `UnavailableError`. */
export const differencesHeld = async ({
  proofLog,
  viewStore,
}: Pick<WorkflowContext, 'proofLog' | 'viewStore'>): Promise<E.Either<Rejection, Accepted>> => {
  const held = (await heldIn(await proofLog())).filter((one) => generationOf(viewStore, one))
  const last = held.at(-1)
  return last
    ? E.right({ origin: last.origin, digest: last.digest, count: last.count, first: last.first })
    : E.left({
        code: 'nothing-held',
        message:
          'no rebuilt views wait in this home: `fonds rebuild` compares the log with its tree, and lets them wait where it differs',
      })
}

/** Lets views that waited for these differences take the place of the live ones. May be repeated. Throws `UnavailableError`. */
export const switchHeld = async (
  { digest }: Pick<Accepted, 'digest'>,
  {
    proofLog,
    workflows,
    ...stores
  }: Pick<WorkflowContext, 'proofLog' | 'workflows' | 'viewStore' | 'eventStore'>,
): Promise<void> => {
  const files = await proofLog()
  const held = await heldIn(files)
  const projections = projectionsOf(workflows)
  for (const one of held.filter((each) => each.digest === digest)) {
    const projection = projections.find(
      ({ name, version }) => name === one.projection && version === one.version,
    )
    const generation = generationOf(stores.viewStore, one)
    if (projection && generation)
      await takePlace(projection, generation, stores).catch((error: unknown) => {
        // Another process has replaced it.
        if (!(error instanceof GenerationMissing)) throw error
      })
  }
  await keepHeld(
    files,
    held.filter((one) => one.digest !== digest),
  )
}

export const generationOf = (
  viewStore: Pick<ViewStore, 'generations'>,
  { projection, version, generation }: Pick<HeldViews, 'projection' | 'version' | 'generation'>,
): Generation | undefined =>
  viewStore
    .generations()
    .find(
      (one) =>
        one.projection === projection &&
        one.version === version &&
        one.id === generation &&
        one.status === 'building',
    )
