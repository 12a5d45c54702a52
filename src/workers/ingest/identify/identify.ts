import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { betanumeric, checkCharacter, isChecked } from '../../../domain/ingest/ark.ts'
import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import type { IngestRejection } from '../../../domain/ingest/rejection.ts'
import {
  type JobInProgress,
  type StepContext,
  StepFailure,
  StepPutOff,
  type StepTools,
} from '../steps/step.ts'

/** Time that a job waits for another job that has its object or its local id. */
const heldMillis = 2000

interface Identity {
  readonly ark: string
  readonly localIds: readonly string[]
}

type Tools = Pick<StepTools, 'services' | 'shoulder'>

/**
 * Identifies the object of a job (reference ingest §2.3): by the ARK that the depositor gave, else by the ARK bound to
 * a local id, else by a new ARK, which is reserved for the job before it is published. `more` are local ids from the
 * job's own files. Claims the local ids; `bindLocalIds` binds them to the object.
 */
export const identify = async (
  job: JobInProgress,
  more: readonly string[],
  profile: Profile,
  tools: Tools,
  { jobIn, aside }: Pick<StepContext, 'jobIn' | 'aside'>,
): Promise<Identity> => {
  const { facts, found } = job
  const localIds = [...new Set([...(found.localIds ?? facts.localIds), ...more])]
  const given = found.ark ?? facts.primary
  // Competing jobs read the state of this one. A new ARK has no competitors.
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
  job: JobInProgress,
  { ark, localIds }: Identity,
  { services }: Tools,
): Promise<void> => {
  for (const id of localIds) answered(await services.identifiers.bindLocalId(job, job.facts.owner, id, ark))
}

/** Claims them in sorted order, so that no two jobs wait for each other. */
const boundTo = async (
  localIds: readonly string[],
  job: JobInProgress,
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

/** Chooses an ARK and reserves it for this job; skips ARKs of other jobs. */
const reserve = async (job: JobInProgress, shoulder: string, { services }: Tools): Promise<string> => {
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

/** Returns the answer. Throws `StepPutOff` if another job holds it, `StepFailure` otherwise. */
export const answered = <A>(answer: E.Either<IngestRejection, A>): A => {
  if (E.isLeft(answer)) throw asError(answer.left)
  return answer.right
}

const asError = ({ code, message }: IngestRejection): Error =>
  code === 'held' ? new StepPutOff(message, heldMillis) : new StepFailure(message)

const nameLength = 9

/**
 * Returns the ARK that a job should try to reserve: a name in NOID's alphabet, with its check character. It is derived
 * from the job, so that a worker that takes over after a crash finds the reserved one. `attempt`: from 0.
 */
export const chooseArk = (
  shoulder: string,
  { batch, job }: { readonly batch: string; readonly job: number },
  attempt: number,
): string => {
  const hash = createHash('sha256').update(`${shoulder}\n${batch}\n${job}\n${attempt}`).digest('hex')
  const name = `${shoulder.replace(/^ark:\/?/, '')}${betanumericOf(BigInt(`0x${hash}`))}`
  return `ark:/${name}${checkCharacter(name)}`
}

const base = BigInt(betanumeric.length)

const betanumericOf = (number: bigint): string => {
  let text = ''
  for (let rest = number; text.length < nameLength; rest /= base) text += betanumeric[Number(rest % base)]
  return text
}
