import * as E from 'fp-ts/lib/Either.js'
import { localIds } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Stage } from '../../../ports/object-store.ts'
import { metadataNames, readProducerWords } from '../describe/producer-words.ts'
import { chooseArk } from '../identify/identify.ts'
import { containedManifest } from '../payload/contained-manifest.ts'
import type { ObjectRow } from '../payload/object-rows.ts'
import { stageIdOf } from '../stage-id.ts'
import { asStaged, type Staged } from './staged.ts'
import type { JobInProgress, StepContext, StepTools } from './step.ts'
import { storageFailure } from './storage-failure.ts'

/*
 * Bytes that need not come to the work folder: storage takes them in as they come from the depositor, to where the version
 * will have them. They stay there until the job has ended, whichever process goes on with it.
 */

type Tools = Pick<StepTools, 'stages'>

/** Those of this and earlier claims. Empty if storage takes no bytes before their version. */
export const stagedFiles = async (
  { job, fence, facts: { batch } }: Of,
  { stages }: Tools,
  { handedOn }: Pick<StepContext, 'handedOn'>,
): Promise<Staged> => {
  const before = async () =>
    fence > 1 ? await (await stages())?.files(stageIdOf({ job, batch })) : undefined
  handedOn.staged ??= asStaged((await before()) ?? [])
  return handedOn.staged
}

/** Removes what the version did not adopt, also of earlier claims. */
export const removeStages = async (
  { job, fence, facts: { batch } }: Of,
  { stages }: Tools,
  { handedOn }: Pick<StepContext, 'handedOn'>,
): Promise<void> => {
  if (fence > 1 || handedOn.hasStage) await (await stages())?.remove(stageIdOf({ job, batch }))
}

type Of = Pick<JobInProgress, 'job' | 'fence' | 'facts'>

export interface Fetches {
  /** Files to fetch into the work folder. */
  readonly toFolder: readonly ObjectRow[]
  /** Files to stage. */
  readonly toStage: readonly ObjectRow[]
}

/**
 * Files whose bytes this process has to read go to the work folder: metadata, all files of a profile that is
 * characterised, and those of a folder with a manifest of its own.
 */
export const partedFetches = async (
  { facts: { payload, batch } }: JobInProgress,
  rows: readonly ObjectRow[],
  { stages, services, characteriser }: StepTools,
): Promise<Fetches> => {
  const all = { toFolder: rows, toStage: [] }
  if (!['file', 'manifest', 'folder'].includes(payload.type) || !(await stages())) return all
  if (payload.type === 'folder' && rows.some(({ path }) => path === containedManifest)) return all
  if (characteriser && (await services.termsOf(batch)).characterise !== 'none') return all
  const isMetadata = ({ path }: ObjectRow): boolean => metadataNames.includes(path)
  return { toFolder: rows.filter(isMetadata), toStage: rows.filter((row) => !isMetadata(row)) }
}

/** Opens a stage at the object and version that the job will have, as far as that can be known before it is identified. */
export const openStage = async (
  job: JobInProgress,
  tools: StepTools,
  { handedOn }: Pick<StepContext, 'handedOn'>,
): Promise<Stage> => {
  handedOn.hasStage = true
  const stages = await tools.stages()
  if (!stages) throw new Error('storage takes no bytes before their version')
  const object = await expectedArk(job, tools)
  const head = await (await tools.objectStore()).head(object)()
  if (E.isLeft(head)) throw storageFailure(head.left)
  return stages.open({
    id: stageIdOf({ job: job.job, batch: job.facts.batch }),
    object,
    basedOn: head.right?.version ?? 0,
  })
}

/** If the job gets another object, or another version of it, the bytes are put once more when they are stored. */
const expectedArk = async (job: JobInProgress, tools: StepTools): Promise<string> => {
  const { facts, found, folder } = job
  const given = found.ark ?? facts.primary
  if (given !== undefined) return given
  const profile = await tools.services.termsOf(facts.batch)
  const ids = [...(found.localIds ?? facts.localIds), ...(await localIdsIn(folder.producer, profile))]
  for (const id of ids) {
    const where = [is('owner', facts.owner), is('localId', id)]
    const [row] = rowsIfFolded(tools.viewStore, localIds, { where, limit: 1 })
    if (row?.ark) return row.ark
  }
  return chooseArk(profile.shoulder ?? tools.shoulder, { batch: facts.batch, job: job.job }, 0)
}

/** Metadata that cannot be used fails the next step, which reads it again. */
const localIdsIn = async (
  producer: string,
  profile: Parameters<typeof readProducerWords>[2],
): Promise<readonly string[]> => {
  try {
    const files = metadataNames.map((name) => ({ path: `producer/${name}`, size: 0, sha256: '' }))
    return (await readProducerWords(producer, files, profile)).localIds
  } catch {
    return []
  }
}
