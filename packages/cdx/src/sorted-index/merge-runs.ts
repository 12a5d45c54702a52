import { DamagedRun, writeGoodBlocks } from './good-blocks.ts'
import { createLoserTree } from './loser-tree.ts'
import type { Publication, Run } from './manifest.ts'
import { createOriginSorter } from './origin-sorter.ts'
import type { Origins } from './origins.ts'
import { deleteRun, linesFile, originsFile, readTable, writeTable } from './run-files.ts'
import { closeRunInput, openRunInput, type RunInput, type RunSource } from './run-input.ts'
import { createRunOutput, type RunBody, type RunOutput } from './run-output.ts'
import { partName } from './run-parts.ts'
import { hasBadOrigins } from './verify-run.ts'

export interface MergeJob {
  readonly folder: string
  readonly inputs: readonly Run[]
  /** Name of the run that replaces them. */
  readonly live: string
  /** Name of the run for lines whose publications have ended; absent if the inputs are such runs. */
  readonly removed?: string
}

export interface MergedRun extends RunBody {
  readonly files: number
}

export interface Merged {
  readonly live: MergedRun
  /** Absent if no publication had ended. */
  readonly removed?: MergedRun
}

/** Merges runs. A line that several inputs have is written once, with the union of its origins. Blocks. */
export const mergeRuns = (job: MergeJob): Merged => {
  const { folder } = job
  try {
    return merge(job)
  } catch (error) {
    deleteRun(folder, job.live)
    if (job.removed !== undefined) deleteRun(folder, job.removed)
    throw error
  }
}

const merge = ({ folder, inputs, live, removed }: MergeJob): Merged => {
  const tables = inputs.map((run) => withEnds(readTable(folder, run), run.ended))
  const sorter = createOriginSorter(tables, removed === undefined)
  const { sources, parts } = sourcesOf(folder, inputs)
  const kept = createRunOutput(folder, live, true)
  const dropped =
    removed !== undefined && sorter.ended.publications.length > 0
      ? createRunOutput(folder, removed, true)
      : undefined

  const commitLine = (origin: number) => {
    const endedPart = dropped ? sorter.endedPart(origin) : -1
    if (dropped && endedPart >= 0) {
      kept.moveTo(dropped)
      dropped.commit(endedPart)
    }
    const stays = sorter.livePart(origin)
    if (stays >= 0) kept.commit(stays)
  }

  const finish = (output: RunOutput, name: string, origins: Origins): MergedRun => {
    const body = output.finish()
    writeTable(folder, name, origins)
    return { ...body, files: origins.publications.length }
  }

  try {
    let origin = -1
    readMerged(sources, (input, isRepeated) => {
      const own = sorter.originOf(input.index, input.origin)
      if (isRepeated) origin = sorter.unite(origin, own)
      else {
        if (origin >= 0) commitLine(origin)
        kept.put(input.bytes, input.start, input.end)
        origin = own
      }
    })
    if (origin >= 0) commitLine(origin)
    return {
      live: finish(kept, live, sorter.live),
      ...(dropped && removed !== undefined && { removed: finish(dropped, removed, sorter.ended) }),
    }
  } finally {
    kept.close()
    dropped?.close()
    for (const part of parts) deleteRun(folder, part)
  }
}

/** A run with bad blocks is replaced by a part with its good ones. */
const sourcesOf = (folder: string, inputs: readonly Run[]) => {
  const parts: string[] = []
  const sources = inputs.map((run): RunSource => {
    const isWhole = run.bad === undefined
    const name = isWhole ? run.name : partName()
    // Lines are compared with their digest as they are read; their origins have sums only.
    if (isWhole && hasBadOrigins(folder, run)) throw new DamagedRun(run.name)
    if (!isWhole) {
      parts.push(name)
      writeGoodBlocks(folder, run, name)
    }
    return {
      lines: linesFile(folder, name),
      ...(!run.publication && { origins: originsFile(folder, name) }),
      ...(isWhole && { written: { name, sha256: run.sha256 } }),
    }
  })
  return { sources, parts }
}

/** Merges sorted parts into one run, each line once. Blocks. */
export const mergeParts = (folder: string, parts: readonly string[], name: string): RunBody => {
  const output = createRunOutput(folder, name, false)
  try {
    readMerged(
      parts.map((part) => ({ lines: linesFile(folder, part) })),
      (input, isRepeated) => {
        if (isRepeated) return
        output.put(input.bytes, input.start, input.end)
        output.commit(0)
      },
    )
    return output.finish()
  } finally {
    output.close()
  }
}

/** Calls `onLine` with every line of all sources, in order. */
const readMerged = (
  sources: readonly RunSource[],
  onLine: (input: RunInput, isRepeated: boolean) => void,
): void => {
  const inputs: RunInput[] = []
  try {
    for (const source of sources) inputs.push(openRunInput(inputs.length, source))
    const tree = createLoserTree(inputs)
    for (let input = tree.winner(); input; input = tree.winner()) {
      onLine(input, tree.isRepeated())
      tree.next()
    }
  } finally {
    for (const input of inputs) closeRunInput(input)
  }
}

const withEnds = (origins: Origins, ended: Run['ended']): Origins => {
  if (ended.length === 0) return origins
  const ends = new Map(ended)
  const end = (publication: Publication): Publication => {
    const to = ends.get(publication.number)
    return to === undefined ? publication : { ...publication, to }
  }
  return { publications: origins.publications.map(end), unions: origins.unions }
}
