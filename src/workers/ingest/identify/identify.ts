import * as E from 'fp-ts/lib/Either.js'
import { isChecked } from '../../../domain/ingest/ark.ts'
import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import type { IngestRejection } from '../../../domain/ingest/rejection.ts'
import { type JobInHand, type StepContext, StepFailure, StepPutOff, type StepTools } from '../steps/step.ts'
import { chooseArk } from './noid.ts'

/** How long a job waits for another one that has its object or its local id. */
const heldMillis = 2000

interface Identity {
  readonly ark: string
  readonly localIds: readonly string[]
}

type Tools = Pick<StepTools, 'services' | 'shoulder'>

/**
 * The object that a job is of (reference ingest §2.3), `more` being local ids that its own files name: the ARK that the depositor gave, else the one that a local id means
 * already, else a new one, which is the job's own before anybody learns of it. The local ids are claimed, and bound to it
 * by `bindLocalIds`.
 */
export const identify = async (
  job: JobInHand,
  more: readonly string[],
  profile: Profile,
  tools: Tools,
  { jobIn, aside }: Pick<StepContext, 'jobIn' | 'aside'>,
): Promise<Identity> => {
  const { facts, found } = job
  const localIds = [...new Set([...(found.localIds ?? facts.localIds), ...more])]
  const given = found.ark ?? facts.primary
  // Others that want the same look at where this job is. Of a new ARK nobody else knows.
  const isKnownThere = job.claimedIn === 'storing'
  if (!isKnownThere && (localIds.length > 0 || given !== undefined)) await jobIn('processing')
  const bound = await boundTo(localIds, job, tools)
  const others = new Set([...bound.values(), ...(given === undefined ? [] : [given])])
  if (others.size > 1) throw otherArks(given, bound)
  const [known] = others
  if (known === undefined)
    return { ark: await aside(reserve(job, profile.shoulder ?? tools.shoulder, tools)), localIds }
  answered(await aside(tools.services.identifiers.claimObject(job, known)))
  return { ark: known, localIds }
}

export const bindLocalIds = async (
  job: JobInHand,
  { ark, localIds }: Identity,
  { services }: Tools,
): Promise<void> => {
  for (const id of localIds) answered(await services.identifiers.bindLocalId(job, job.facts.owner, id, ark))
}

/** In one order, so that no two jobs wait for each other. */
const boundTo = async (
  localIds: readonly string[],
  job: JobInHand,
  { services }: Tools,
): Promise<ReadonlyMap<string, string>> => {
  const bound = new Map<string, string>()
  for (const id of localIds.toSorted()) {
    const ark = answered(await services.identifiers.claimLocalId(job, job.facts.owner, id))
    if (ark !== undefined) bound.set(id, ark)
  }
  return bound
}

/** X15. */
const otherArks = (given: string | undefined, bound: ReadonlyMap<string, string>): StepFailure => {
  const meant = [...bound].map(([id, ark]) => `${id} means ${ark}`).join(', ')
  return new StepFailure(
    given === undefined
      ? `its local ids mean different objects: ${meant}`
      : `it was submitted as ${given}, but the local id ${meant}; leave one of the two out`,
  )
}

const maxAttempts = 100

/** Chosen, and kept as this job's; one that another job has is passed over. */
const reserve = async (job: JobInHand, shoulder: string, { services }: Tools): Promise<string> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const ark = chooseArk(shoulder, { batch: job.facts.batch, job: job.job }, attempt)
    if (!isChecked(ark))
      throw new StepFailure(`no ARK can be minted at the shoulder ${shoulder}; set another one`)
    const reserved = await services.identifiers.reserveArk(job, ark)
    if (E.isRight(reserved)) return ark
    if (reserved.left.code !== 'taken') throw asError(reserved.left)
  }
  throw new StepFailure(`${maxAttempts} ARKs at ${shoulder} are taken; set another shoulder`)
}

/** The answer. Throws `StepPutOff` where another job is at it, `StepFailure` otherwise. */
export const answered = <A>(answer: E.Either<IngestRejection, A>): A => {
  if (E.isLeft(answer)) throw asError(answer.left)
  return answer.right
}

const asError = ({ code, message }: IngestRejection): Error =>
  code === 'held' ? new StepPutOff(message, heldMillis) : new StepFailure(message)
