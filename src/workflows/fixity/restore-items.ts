import * as E from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { sideBySide } from '../../async/side-by-side.ts'
import { unavailable } from '../../async/unavailable.ts'
import type { NoteRestoreAnswer, RestoreArchived } from '../../domain/fixity/store/commands.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { type RestoreTier, storeStream } from '../../domain/fixity/store/events.ts'
import { visible } from '../../domain/kernel/visible.ts'
import type { ArchivedObject, BucketRestorer } from '../../ports/bucket-restorer.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import {
  archivedItems,
  bucketOfStore,
  RestoreRefused,
  type RestoreScope,
  type RestoreWatch,
  width,
} from './archived-items.ts'
import { fixityContext } from './context.ts'
import { recordingBucketUse } from './record-bucket-use.ts'

/** Archived objects in scope, each counted once. */
export interface RestoreEstimate {
  readonly store: string
  readonly root: string
  /** Those to ask for: neither restored nor being restored. */
  readonly objects: number
  /** Bytes of `objects`. */
  readonly bytes: number
  /** `objects` and their bytes by class. */
  readonly classes: Readonly<Record<string, { readonly objects: number; readonly bytes: number }>>
  readonly underWay: number
  /** Their bytes can be read. */
  readonly restored: number
}

/** Result of `fonds fixity restore`. */
export interface RestoreSummary extends RestoreEstimate {
  readonly days: number
  readonly tier: RestoreTier
  /** Those of `objects` for which the bucket was asked, and did not refuse. */
  readonly accepted: number
  /** The others of `objects`: refused, or not asked for after a refusal that concerns all. */
  readonly refused: number
  /** The first of these, with the reason. */
  readonly notes: readonly { readonly path: string; readonly note: string }[]
}

/** The bucket's answer, without actor and time. */
export type RestoreAnswer = Pick<
  NoteRestoreAnswer,
  'store' | 'root' | 'prefix' | 'path' | 'accepted' | 'refused' | 'why'
>

export const answerOf = (
  { store, root, accepted, refused, notes }: RestoreSummary,
  { prefix = '', item }: RestoreScope,
): RestoreAnswer => ({ store, root, prefix, path: item, accepted, refused, why: notes[0]?.note })

export interface RestoreOptions extends RestoreScope {
  readonly days: number
  readonly tier: RestoreTier
  readonly actor: string
  readonly reason: string
}

const maxNotes = 1000

/** Counts what is archived in scope, and asks for nothing. Throws `RestoreRefused` and `UnavailableError`. */
export const estimateRestore = (
  context: WorkflowContext,
  store: string,
  scope: RestoreScope,
  watch: RestoreWatch,
): Promise<RestoreEstimate> =>
  withRestorer(context, store, async (restorer, root) =>
    estimateOf(store, root, await archivedItems(context, store, restorer, scope, watch)),
  )

/**
 * Records who has what restored, then asks the bucket for each object. Throws `RestoreRefused` and `UnavailableError`; nothing
 * was asked for then.
 */
export const restoreItems = (
  context: WorkflowContext,
  store: string,
  { days, tier, actor, reason, ...scope }: RestoreOptions,
  watch: RestoreWatch,
): Promise<RestoreSummary> =>
  withRestorer(context, store, async (restorer, root) => {
    const found = await archivedItems(context, store, restorer, scope, watch)
    const estimate = estimateOf(store, root, found)
    const { objects, bytes } = estimate
    const asked = found.filter(isAskedFor)
    failIfTooSoon(tier, asked)
    const { prefix = '', item } = scope
    const asking = { store, root, prefix, ...(item !== undefined && { path: item }) }
    // The event comes before the bucket is asked.
    if (objects > 0)
      await record(context, {
        type: 'RestoreArchived',
        ...asking,
        ...{ days, tier, objects, bytes, actor, reason },
        at: context.clock.now(),
      })
    const outcome = await askForEach(restorer, asked, { days, tier }, watch)
    return { ...estimate, days, tier, ...outcome }
  })

/** Requests to the bucket are recorded as its use. */
const withRestorer = async <A>(
  context: WorkflowContext,
  store: string,
  work: (restorer: BucketRestorer, root: string) => Promise<A>,
): Promise<A> => {
  const root = bucketOfStore(context, store)
  const restorer = await fixityContext(context).openRestorer(root)
  return recordingBucketUse(context, async () => {
    try {
      return await work(restorer, root)
    } finally {
      await restorer.close()
    }
  })
}

/** Records what the bucket answered. Throws `UnavailableError`. */
export const recordAnswer = (context: WorkflowContext, answer: RestoreAnswer, actor: string): Promise<void> =>
  record(context, { type: 'NoteRestoreAnswer', ...answer, actor, at: context.clock.now() })

const record = async (
  { execute }: WorkflowContext,
  command: RestoreArchived | NoteRestoreAnswer,
): Promise<void> => {
  const cause = uuid()
  const envelope = { stream: storeStream(command.store), command, causationId: cause, correlationId: cause }
  const outcome = await execute(storeDecider, envelope)
  if (E.isLeft(outcome)) throw unavailable(outcome.left, 'the restoration')
  if (outcome.right.kind === 'rejected')
    throw new RestoreRefused(outcome.right.rejection.code, outcome.right.rejection.message)
}

const isAskedFor = ({ state }: ArchivedObject): boolean => state === 'archived'

const estimateOf = (store: string, root: string, found: readonly ArchivedObject[]): RestoreEstimate => {
  const classes: Record<string, { objects: number; bytes: number }> = {}
  const total = { objects: 0, bytes: 0 }
  for (const { storageClass, size } of found.filter(isAskedFor)) {
    classes[storageClass] ??= { objects: 0, bytes: 0 }
    for (const sum of [total, classes[storageClass]]) {
      sum.objects++
      sum.bytes += size
    }
  }
  const inState = (state: ArchivedObject['state']) => found.filter((one) => one.state === state).length
  return { store, root, ...total, classes, underWay: inState('under-way'), restored: inState('restored') }
}

/** S3 has no expedited restoration out of the deep archive. */
const failIfTooSoon = (tier: RestoreTier, asked: readonly ArchivedObject[]): void => {
  const deep = asked.find(({ storageClass }) => storageClass.startsWith('DEEP_ARCHIVE'))
  if (tier === 'Expedited' && deep)
    throw new RestoreRefused(
      'tier-missing',
      `${visible(deep.path)} is in ${deep.storageClass}, which has no tier Expedited; give --tier Standard or Bulk`,
    )
}

const askForEach = async (
  restorer: BucketRestorer,
  asked: readonly ArchivedObject[],
  options: Omit<Parameters<BucketRestorer['restore']>[1], 'signal'>,
  { signal, onAsked }: RestoreWatch,
): Promise<Pick<RestoreSummary, 'accepted' | 'refused' | 'notes'>> => {
  const notes: { path: string; note: string }[] = []
  let accepted = 0
  let refusedForAll = false
  let answered = 0
  await sideBySide(asked, width, async (object) => {
    signal.throwIfAborted()
    if (refusedForAll) return
    const answer = await restorer.restore(object, { ...options, signal })
    if (answer.kind !== 'refused') accepted++
    else {
      refusedForAll ||= answer.isForAll
      if (notes.length < maxNotes) notes.push({ path: object.path, note: answer.why })
    }
    onAsked?.(++answered, asked.length)
  })
  return { accepted, refused: asked.length - accepted, notes }
}
