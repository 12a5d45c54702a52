import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { retention, retentionStream } from '#src/domain/kernel/retention.ts'

const by = { actor: 'ada', reason: 'schedule, no. 12' }
/** A folder for a Merkle tree, for as long as the test lasts. */
export const tree = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-retention-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A command of a person. The same days again are the same command. */
export const give = async (
  system: System,
  category: string,
  type: 'Set' | 'Request' | 'Lift',
  days = 30,
): Promise<void> => {
  const at = system.clock.now()
  const command = type === 'Set' ? ({ type, days, ...by } as const) : ({ type, ...by } as const)
  const stream = retentionStream(category)
  const causationId = `${type}/${category}/${days}/${at}`
  await orThrow(() =>
    system.execute(retention, { stream, command: { ...command, category, at }, causationId }),
  )
}
/** Revisions that a stream shows. */
export const revisions = async ({ eventStore }: System, stream: string) =>
  (await orThrow(eventStore.read(stream, 'start', 'forward', 100))).map(({ revision }) => Number(revision))
/** How many events of a category the log has. */
export const inLog = async ({ eventStore }: System, category: string) =>
  (await orThrow(eventStore.readAll(-1n, { categories: [category] }, 1000))).events.length
