import {
  type Bundle,
  bundleAt,
  type Checkpoint,
  emptyRoot,
  entriesIn,
  entryBundle,
  isSameHash,
  type Policy,
  parseCheckpoint,
  parseNote,
  tilePath,
  tileWidth,
} from '@fonds/tlog'
import { leafHash } from '@fonds/tlog/compute'
import type { GetProofFile } from '../../ports/proof-files.ts'
import type { ProofLog, TreeFile } from '../../ports/proof-log.ts'
import { openTree } from './open-tree.ts'
import { checkHead } from './verify/check-head.ts'
import { createFindings } from './verify/findings.ts'

export type Mirrored =
  /** `from`: leaves that were there before. */
  | { readonly kind: 'held'; readonly origin: string; readonly size: bigint; readonly from: bigint }
  /** Nothing was changed here. `head`: what speaks against the log, signed by it; undefined if nothing of it was signed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly head: string | undefined }

interface MirrorOptions {
  /** Keys of the log, and witnesses that are enough. */
  readonly policy: Policy
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

type MirrorFiles = Pick<ProofLog, 'folder' | 'head' | 'tile' | 'write' | 'publish' | 'tidy'>

/**
 * Brings a copy of another archive's tree up to the head that it shows, and checks it as it comes: all entries, the root, the
 * signatures. The copy goes on from the one it had, so that a head which does not follow from that is not taken (Q19). Throws
 * `UnavailableError`, `InvalidNote`, and `BrokenTree` for a copy that was changed here.
 */
export const mirrorLog = async (
  get: GetProofFile,
  files: MirrorFiles,
  { policy, onProgress, signal }: MirrorOptions,
): Promise<Mirrored> => {
  const shown = await get('checkpoint', signal)
  if (!shown) return refused('it shows no checkpoint')
  const text = Buffer.from(shown).toString()
  const findings = createFindings()
  const head = checkHead(text, policy, findings)
  const failure = findings.all.find(({ kind }) => kind === 'fails')
  if (!head || failure) return refused(failure?.sentence ?? 'it is not signed')
  const held = await files.head()
  const last = held && parseCheckpoint(parseNote(held.text).text)
  if (last && last.origin !== head.origin)
    return refused(`it is ${head.origin}, and ${files.folder} holds ${last.origin}: name another folder`)
  if (last && head.size < last.size)
    return refused(`it shows ${head.size} leaves, and showed ${last.size} before: it was put back`, text)

  const from = last ?? { ...head, size: 0n }
  const grown = await grow(get, files, from, head, { onProgress, signal })
  if (typeof grown === 'string') return refused(grown, text)
  await files.write(grown)
  await files.publish(text, held?.text)
  await files.tidy(head.size)
  return { kind: 'held', origin: head.origin, size: head.size, from: from.size }
}

const refused = (reason: string, head?: string): Mirrored => ({ kind: 'refused', reason, head })

type Progress = Pick<MirrorOptions, 'onProgress' | 'signal'>

/** Writes all that becomes full. Returns the partial files of the head, or why the log is not to be believed. */
const grow = async (
  get: GetProofFile,
  files: MirrorFiles,
  from: Checkpoint,
  head: Checkpoint,
  { onProgress, signal }: Progress,
): Promise<readonly TreeFile[] | string> => {
  const { tree, entries: held } = await openTree(files, from.size === 0n ? emptyOf(from) : from)
  let entries = [...held]
  for (let index = from.size / BigInt(tileWidth); tree.size < head.size; index++) {
    signal.throwIfAborted()
    const bundle = bundleAt(index, head.size)
    const served = await bundleOf(get, bundle, signal)
    if (typeof served === 'string') return served
    const full: TreeFile[] = []
    for (const entry of served.slice(entries.length)) {
      for (const { bytes, ...tile } of tree.append(leafHash(entry))) full.push({ tile, bytes })
      entries.push(entry)
    }
    if (bundle.width === tileWidth) {
      full.push({ tile: bundle, bytes: entryBundle(entries) })
      entries = []
    }
    await files.write(full)
    onProgress(Number(tree.size), Number(head.size))
  }
  if (!isSameHash(tree.root(), head.root))
    return `its head of ${head.size} leaves does not follow from the ${from.size} that are held here: it shows two histories, or serves what it did not sign`
  const partial: TreeFile[] = tree.partial().map(({ bytes, ...tile }) => ({ tile, bytes }))
  const last = bundleAt(head.size / BigInt(tileWidth), head.size)
  if (last.width > 0) partial.push({ tile: last, bytes: entryBundle(entries) })
  return partial
}

/** Entries of a bundle; the full one serves where the partial one is no more. */
const bundleOf = async (
  get: GetProofFile,
  bundle: Bundle,
  signal: AbortSignal,
): Promise<readonly Uint8Array[] | string> => {
  const bytes = await get(tilePath(bundle), signal)
  if (bytes) return entriesIn(bytes, bundle) ?? `it serves a damaged ${tilePath(bundle)}`
  if (bundle.width === tileWidth) return `it does not serve ${tilePath(bundle)}`
  const full = await bundleOf(get, { ...bundle, width: tileWidth }, signal)
  return typeof full === 'string' ? full : full.slice(0, bundle.width)
}

const emptyOf = ({ origin }: Checkpoint): Checkpoint => ({ origin, size: 0n, root: emptyRoot })
