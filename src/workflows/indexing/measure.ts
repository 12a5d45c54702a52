import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { changeFilesOf } from '../../workers/indexing/aggregator/change-files.ts'
import { incomingFolder } from '../../workers/indexing/index-folders.ts'
import type { Measured } from '../workflow.ts'
import type { IndexingContext } from './context.ts'

/** Measures the size of the index of captures, and the changes that wait for it. */
export const measureIndex = async (
  context: Pick<IndexingContext, 'captureIndex' | 'config' | 'clock'>,
): Promise<readonly Measured[]> => {
  const runs = await context.captureIndex().runs()
  const states = [...Map.groupBy(runs, ({ state }) => state)]
  const sums = (of: 'lines' | 'bytes') =>
    states.map(([state, some]) => ({ labels: { state }, value: some.reduce((sum, run) => sum + run[of], 0) }))
  const byLevel = states.flatMap(([state, some]) =>
    [...Map.groupBy(some, ({ level }) => String(level))].map(([level, { length }]) => ({
      labels: { level, state },
      value: length,
    })),
  )
  const losses = await context.captureIndex().losses()
  const waiting = await changeFilesOf(context).list()
  return [
    { gauge: 'index_runs', values: byLevel },
    { gauge: 'index_lines', values: sums('lines') },
    { gauge: 'index_bytes', values: sums('bytes') },
    {
      gauge: 'index_bad_blocks',
      values: [{ labels: {}, value: runs.reduce((sum, { badBlocks }) => sum + badBlocks, 0) }],
    },
    {
      gauge: 'index_lost_lines',
      values: [{ labels: {}, value: losses.reduce((sum, { lines }) => sum + lines, 0) }],
    },
    { gauge: 'index_changes_waiting', values: [{ labels: {}, value: waiting.length }] },
    { gauge: 'index_change_age_seconds', values: [{ labels: {}, value: await ageOf(context, waiting[0]) }] },
  ]
}

/** Seconds; 0 if the file does not exist, or was just taken over. */
const ageOf = async (
  context: Pick<IndexingContext, 'config' | 'clock'>,
  name: string | undefined,
): Promise<number> => {
  if (name === undefined) return 0
  try {
    const { mtime } = await stat(join(incomingFolder(context), name))
    return Math.max(0, millisBetween(mtime.toISOString(), context.clock.now())) / SECOND
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0
    throw error
  }
}
