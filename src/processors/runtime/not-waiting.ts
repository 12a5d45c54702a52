import type { MachineWaiting } from '../../ports/task-queue.ts'

/**
 * Returns the first `limit` rows that do not wait for the machine: a claim of one that does would come to nothing, in
 * two events.
 */
export const notWaiting = async <Row>(
  rows: readonly Row[],
  limit: number,
  waits: MachineWaiting | undefined,
  workOf: (row: Row) => string,
): Promise<readonly Row[]> => {
  if (!waits || waits.count() === 0) return rows.slice(0, limit)
  const found: Row[] = []
  for (const row of rows) {
    if (found.length === limit) break
    if (!(await waits.lasts(workOf(row)))) found.push(row)
  }
  return found
}
