import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Checkpoint, parsePolicy } from '@fonds/tlog'
import { checkEvent } from './check-event.ts'
import { checkHead } from './check-head.ts'
import type { ExportedLine } from './export-files.ts'
import { exportLines, exportScope, exportText, UnreadableExport } from './export-files.ts'
import { createFindings, type Findings } from './findings.ts'
import { leavesByProofs, leavesByTree } from './leaves.ts'
import { createRemoved } from './removed.ts'
import { checkThings } from './things.ts'

interface VerifyOptions {
  /** Text of a policy; undefined: the export's own, which proves nothing of its keys. */
  readonly policy?: string
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

/**
 * Checks an export offline. Believes the keys of the policy alone. Throws `UnreadableExport`, `InvalidNote` for what is not of its
 * form: nothing is proven then.
 */
export const verifyExport = async (folder: string, options: VerifyOptions): Promise<Findings> => {
  const findings = createFindings()
  if (options.policy === undefined)
    findings.unchecked(
      "that the keys are the right ones: they are the export's own. Compare them, or give a policy",
    )
  const policy = parsePolicy(options.policy ?? (await exportText(folder, 'policy')))
  const head = checkHead(await exportText(folder, 'checkpoint'), policy, findings)
  if (head) await checkEvents(folder, head, findings, options)
  return findings
}

const checkEvents = async (
  folder: string,
  head: Checkpoint,
  findings: Findings,
  { onProgress, signal }: VerifyOptions,
): Promise<void> => {
  const scope = await exportScope(folder)
  const isLog = scope.of === 'log'
  if (isLog && head.size > 0n && !existsSync(join(folder, 'tile/entries')))
    throw new UnreadableExport('the export is of the log, and has no tile/entries')
  const leaves = isLog ? leavesByTree(folder, head, BigInt(scope.from), findings) : leavesByProofs(head)
  const things = isLog ? undefined : checkThings(folder, head, scope, findings)
  const removed = createRemoved(findings, !isLog || scope.from > 0)
  let [count, whole] = [0, 0]
  const check = async (line: ExportedLine) => {
    if (!(await leaves.has(line)))
      findings.fails(`leaf ${line.index}: this entry is not in the tree at this place`)
    const leaf = checkEvent(line, findings, removed)
    if (leaf) things?.add(BigInt(line.index), leaf)
    if (line.data !== undefined && line.metadata !== undefined) whole++
    if (++count % 1000 === 0) onProgress(line.index, Number(head.size))
  }
  for await (const line of exportLines(folder)) {
    signal.throwIfAborted()
    await check(line)
  }
  await leaves.end()
  await things?.end()
  removed.end()
  if (isLog && scope.from > 0)
    findings.unchecked(`what the events before leaf ${scope.from} hold: they are not in this export`)
  if (findings.failures === 0)
    findings.holds(
      `the place of ${count} events in the tree${whole > 0 ? `, and the data and metadata of ${whole === count ? 'each' : `${whole} of them`}` : ''}`,
    )
}
