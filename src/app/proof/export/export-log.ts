import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Policy, Verifier } from '@fonds/tlog'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { exportForm, exportLine } from '../../../domain/kernel/proof/export-line.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'
import { entryReader, openHead } from '../open-tree.ts'
import { policyOf } from '../policy.ts'
import { copyTree } from './copy-tree.ts'
import { type PairedLeaf, pairedLeaves } from './paired-leaves.ts'
import { exportReadme } from './readme.ts'

export interface ExportParts {
  readonly eventStore: Pick<EventStore, 'readStored' | 'read' | 'metadata'>
  readonly files: Pick<ProofLog, 'folder' | 'tile'>
  /** The signed head up to which is exported. */
  readonly head: string
  /** Public keys of the archive's tree. */
  readonly verifiers: readonly Verifier[]
  /** Whom the archive's own proofs name. */
  readonly witnesses?: Policy | undefined
  /** Text of the program that checks an export. */
  readonly program: string
  /** ISO 8601. */
  readonly now: string
}

interface ExportOptions {
  /** ISO 8601: events recorded earlier are left out, but not their entries. */
  readonly since?: string
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

export interface Exported {
  readonly folder: string
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: number
  readonly events: number
  /** Events whose bytes the log does not hold any more. */
  readonly deleted: number
}

/**
 * Writes what an outsider needs to check the history offline: the signed tree, its events in their stored bytes, keys and
 * a program. The folder gets its name when all of it is there. Left: why there is no export. Throws `NotAsSealed`,
 * `BrokenTree`, `UntrustedNote`, `UnavailableError`.
 */
export const exportLog = async (
  parts: ExportParts,
  to: string,
  options: ExportOptions,
): Promise<Either<string, Exported>> => {
  const target = resolve(to)
  if (existsSync(target) && (await readdir(target)).length > 0)
    return left(`${target} exists and is not empty; name another folder`)
  const partial = `${target}.${process.pid}.partial`
  await makeFolder(dirname(target))
  await mkdir(partial)
  try {
    const exported = await fill(partial, parts, options)
    await rm(target, { recursive: true, force: true })
    await rename(partial, target)
    return right({ folder: target, ...exported })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const fill = async (folder: string, parts: ExportParts, options: ExportOptions) => {
  const { eventStore, files, head: checkpoint, verifiers, program, now } = parts
  const head = openHead(checkpoint, verifiers)
  await copyTree(files, head.size, folder)
  const file = await open(`${folder}/events.ndjson`, 'w')
  const lines = createLines(file, options)
  try {
    for await (const leaf of pairedLeaves(eventStore, entryReader(files, head.size), head.size)) {
      options.signal.throwIfAborted()
      await lines.add(leaf)
      if (leaf.index % 1000n === 0n) options.onProgress(Number(leaf.index), Number(head.size))
    }
    await lines.flush()
    await file.sync()
  } finally {
    await file.close()
  }
  const { events, deleted, from } = lines.counts()
  const scope = options.since
    ? `They are all that were recorded from ${options.since} on; \`tile/entries\` has what the tree holds of those before.`
    : 'They are all that happened until then.'
  for (const [name, text] of Object.entries({
    checkpoint,
    'export.json': `${JSON.stringify({ form: exportForm, of: 'log', from: from ?? Number(head.size) })}\n`,
    policy: policyOf(verifiers, parts.witnesses),
    'README.md': exportReadme({ head, events, deleted, scope, at: now }),
    'verify.py': program,
  }))
    await writeFile(`${folder}/${name}`, text, { flush: true })
  return { origin: head.origin, size: Number(head.size), events, deleted }
}

const portion = 1 << 20

/** Writes lines a MiB at a time. */
const createLines = (file: FileHandle, { since }: ExportOptions) => {
  let [events, deleted] = [0, 0]
  let from: number | undefined
  let waiting = ''
  const flush = async (): Promise<void> => {
    const text = waiting
    waiting = ''
    await file.writeFile(text)
  }
  return {
    add: async ({ index, entry, leaf, event }: PairedLeaf): Promise<void> => {
      if (leaf === undefined || (from === undefined && since !== undefined && leaf.recordedAt < since)) return
      from ??= Number(index)
      events++
      if (event === undefined) deleted++
      waiting += exportLine({ index, entry: Buffer.from(entry).toString(), event })
      if (waiting.length > portion) await flush()
    },
    flush,
    counts: () => ({ events, deleted, from }),
  }
}
