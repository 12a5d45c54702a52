import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { jobStream, localIdStream, objectStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { type LocalIdCommand, localIdDecider } from '../../domain/ingest/local-id/decide.ts'
import { type ObjectCommand, objectDecider, type RecordedVersion } from '../../domain/ingest/object/decide.ts'
import type { ObjectFacts } from '../../domain/ingest/object/events.ts'
import { isHolder, type ObjectHolder } from '../../domain/ingest/object/state.ts'
import type { KnownObject } from '../../domain/ingest/object/storage.ts'
import { maxListedFiles, type ObjectFile, pages } from '../../domain/ingest/payload.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import type { JobState } from '../../domain/ingest/transitions.ts'
import { checkFence } from '../../domain/kernel/lease.ts'
import type { Correlated } from '../../ports/task-queue.ts'
import type { Holder } from '../runtime/claim.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

export interface IdentifierDependencies extends Pick<Holder, 'execute' | 'clock' | 'worker'> {
  readonly states: StreamStates
}

/** A job and its claim, as its worker states them, and the correlation that led to it. */
type Of = ObjectHolder & Partial<Correlated>

type Answer<A = void> = Promise<Either<IngestRejection, A>>

/** States of a job in which it holds its object. */
const holdingObject: readonly JobState[] = ['processing', 'storing', 'recording']
const holdingLocalId: readonly JobState[] = ['processing']

/**
 * Operations of jobs on identifiers, decided in the streams of objects and of local ids. All throw `UnavailableError`.
 */
export const identifiers = ({ execute, states, clock, worker }: IdentifierDependencies) => {
  const by = () => ({ actor: worker, at: clock.now() })
  const causeOf = ({ correlationId }: Of) => ({
    causationId: uuid(),
    ...(correlationId !== undefined && { correlationId }),
  })

  /**
   * Left if the claim is lost: its former holder stores nothing, and has stored nothing, since another one may have the
   * job.
   */
  const holds = async ({ job, fence }: Of): Answer => {
    const { state } = await orThrow(() => states.load(jobDecider, jobStream(job)))
    return E.map(() => undefined)(checkFence(state?.claims.lease, fence))
  }

  const onObject = async (of: Of, ark: string, command: ObjectCommand): Answer => {
    const envelope = { stream: objectStream(ark), command, ...causeOf(of) }
    const outcome = await orThrow(() => execute(objectDecider, envelope), command.type)
    return outcome.kind === 'rejected' ? E.left(outcome.rejection) : E.right(undefined)
  }

  const onLocalId = async (of: Of, owner: string, id: string, command: LocalIdCommand): Answer => {
    const envelope = { stream: localIdStream(owner, id), command, ...causeOf(of) }
    const outcome = await orThrow(() => execute(localIdDecider, envelope), command.type)
    return outcome.kind === 'rejected' ? E.left(outcome.rejection) : E.right(undefined)
  }

  /** Returns the holder if its job no longer needs it: another job may take its place. */
  const unneededHolder = async (
    holder: ObjectHolder | undefined,
    of: Of,
    holding: readonly JobState[],
  ): Promise<ObjectHolder | undefined> => {
    if (!holder || holder.job === of.job) return undefined
    const { state } = await orThrow(() => states.load(jobDecider, jobStream(holder.job)))
    return state && holding.includes(state.state) ? undefined : holder
  }

  /** Records many files in pages, an event each; the last page goes with the version. */
  const recordVersion = async (
    { job, fence, correlationId }: Of,
    stored: RecordedVersion,
    files: readonly ObjectFile[],
    object: ObjectFacts,
  ): Answer => {
    const { ark, version } = stored
    const of = { job, fence, ...(correlationId !== undefined && { correlationId }) }
    const held = await holds(of)
    if (E.isLeft(held)) return held
    const all = [...pages(files, maxListedFiles)]
    let from = 0
    for (const page of all.slice(0, -1)) {
      const paged = { type: 'ListFiles', ark, job, fence, version, from, files: page, ...by() } as const
      const listed = await onObject(of, ark, paged)
      if (E.isLeft(listed)) return listed
      from += page.length
    }
    const listed = all.at(-1) ?? []
    return onObject(of, ark, { type: 'RecordVersion', job, fence, listed, object, ...stored, ...by() })
  }

  return {
    recordVersion,

    knownObject: async (ark: string): Promise<KnownObject> => {
      const { state } = await orThrow(() => states.load(objectDecider, objectStream(ark)))
      const { versions, holder, setAside = [], differences = [] } = state
      const over = await unneededHolder(holder, { job: 0, fence: 0 }, holdingObject)
      return { versions, setAside, differences, isBeingStored: holder !== undefined && over === undefined }
    },

    /** Left `taken`: the ARK belongs to another job; mint another one. The same job gets its own again. */
    reserveArk: (of: Of, ark: string): Answer =>
      onObject(of, ark, { type: 'ReserveArk', ark, job: of.job, fence: of.fence, ...by() }),

    /**
     * To be called before anything of a version is stored. Left `held`: another job stores a version; put this one off.
     */
    claimObject: async (of: Of, ark: string): Answer => {
      const held = await holds(of)
      if (E.isLeft(held)) return held
      const { state } = await orThrow(() => states.load(objectDecider, objectStream(ark)))
      if (isHolder(state.holder, of)) return E.right(undefined)
      const over = await unneededHolder(state.holder, of, holdingObject)
      return onObject(of, ark, { type: 'ClaimObject', ark, job: of.job, fence: of.fence, over, ...by() })
    },

    /**
     * Returns the object that the local id means; undefined: none yet, and this job alone may find or mint it. Left
     * `held`.
     */
    claimLocalId: async (of: Of, owner: string, localId: string): Answer<string | undefined> => {
      const ask = () => orThrow(() => states.load(localIdDecider, localIdStream(owner, localId)))
      const over = await unneededHolder((await ask()).state.holder, of, holdingLocalId)
      const { job, fence } = of
      const claimed = await onLocalId(of, owner, localId, { type: 'ClaimLocalId', job, fence, over, ...by() })
      return E.isLeft(claimed) ? claimed : E.right((await ask()).state.ark)
    },

    /** Left `other-ark`: the local id means another object. */
    bindLocalId: (of: Of, owner: string, localId: string, ark: string): Answer =>
      onLocalId(of, owner, localId, { type: 'BindLocalId', job: of.job, fence: of.fence, ark, ...by() }),
  }
}

export type Identifiers = ReturnType<typeof identifiers>
