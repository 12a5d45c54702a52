import {
  checkpointText,
  growingBundle,
  noteText,
  type Signer,
  signedNote,
  tilePath,
  tileWidth,
} from '@fonds/tlog'
import { type GrowingTree, leafHash } from '@fonds/tlog/compute'
import { type EventLeaf, eventEntry, leafText, maxTextBytes } from '../../domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../domain/kernel/proof/leaf-of.ts'
import type { StoredBatch } from '../../ports/event-store.ts'
import type { ProofLog, StreamHeads, TreeFile } from '../../ports/proof-log.ts'
import { partialOf } from './open-tree.ts'

export interface SealingParts {
  readonly files: Pick<ProofLog, 'write' | 'publish' | 'tidy'>
  readonly heads: StreamHeads
  readonly signers: readonly Signer[]
  readonly tree: GrowingTree
  /** Entries behind the last full bundle. */
  readonly entries: readonly Uint8Array[]
  /** The signed head that the tree was opened at; undefined for a new tree. */
  readonly head: string | undefined
  /** Position of the last event of the tree. */
  readonly position: bigint
}

/**
 * Extends a tree by the events of the log. All that was not published is lost with the process, and made again from the
 * log: the published head is all that there is to know. After an error the tree must be opened again.
 */
export interface Sealing {
  /** With what is not published yet. */
  readonly size: bigint
  /** Position of the last event that was examined. */
  readonly position: bigint
  readonly published: { readonly size: bigint; readonly head: string | undefined }
  /** Adds an entry that is no event: the first of a tree that follows another. */
  addEntry(entry: string): void
  /** Adds events in the order of the log, and writes tiles that became full, some at a time. */
  add(batch: StoredBatch): Promise<void>
  /** Signs the head and shows it, once all is on disk. */
  publish(): Promise<void>
  close(): void
}

/** Names a stream among heads, as its entries do. */
export const headKey = (stream: EventLeaf['stream']): string => {
  const text = typeof stream === 'string' && stream.length > maxTextBytes / 6 ? leafText(stream) : stream
  return typeof text === 'string' ? text : JSON.stringify(text)
}

/** Files that are written side by side: some 40 kB each. */
const mostWaiting = 32

export const createSealing = ({ files, heads, signers, tree, ...opened }: SealingParts): Sealing => {
  const origin = signers[0]!.verifier.name
  let { position } = opened
  let sealedPosition = position
  let published = { size: tree.size, head: opened.head }
  let bundle = growingBundle()
  for (const entry of opened.entries) bundle.add(entry)
  let full: TreeFile[] = []

  const addEntry = (entry: string): void => {
    const bytes = bundle.add(entry)
    for (const { bytes: hashes, ...tile } of tree.append(leafHash(bytes))) full.push({ tile, bytes: hashes })
    if (bundle.width < tileWidth) return
    const index = tree.size / BigInt(tileWidth) - 1n
    full.push({ tile: { level: 'entries', index, width: tileWidth }, bytes: bundle.bytes() })
    bundle = growingBundle()
  }

  const writeFull = async (): Promise<void> => {
    const ready = full
    full = []
    if (ready.length > 0) await files.write(ready)
  }

  /** Those that stand beside the head already are left: they are never written twice. */
  const partialFiles = (): readonly TreeFile[] => {
    const there = new Set(published.head === undefined ? [] : partialOf(published.size).map(tilePath))
    const tiles: TreeFile[] = tree.partial().map(({ bytes, ...tile }) => ({ tile, bytes }))
    const [last] = partialOf(tree.size).slice(-1)
    if (last?.level === 'entries') tiles.push({ tile: last, bytes: bundle.bytes() })
    return tiles.filter(({ tile }) => !there.has(tilePath(tile)))
  }

  return {
    get size() {
      return tree.size
    },
    get position() {
      return position
    },
    get published() {
      return published
    },
    addEntry,

    add: async (batch) => {
      const events = batch.events.filter(isLeaf)
      const keys = events.map(({ stream }) => headKey(stream))
      // The first event of a stream has none before it.
      const earlier = heads.get(keys.filter((_, i) => events[i]!.revision > 0n))
      const newest = new Map<string, bigint>()
      let asked = 0
      for (const [i, event] of events.entries()) {
        const key = keys[i]!
        const index = tree.size
        const known = event.revision > 0n ? earlier[asked++] : undefined
        addEntry(eventEntry(leafOf(event, newest.get(key) ?? known)))
        newest.set(key, index)
        sealedPosition = event.position
      }
      heads.set(newest)
      position = batch.position
      if (full.length >= mostWaiting) await writeFull()
    },

    publish: async () => {
      await writeFull()
      await files.write(partialFiles())
      const { size } = tree
      const text = noteText(signedNote(checkpointText({ origin, size, root: tree.root() }), signers))
      await files.publish(text, published.head)
      published = { size, head: text }
      heads.commit({ origin, size, position: sealedPosition })
      await files.tidy(size)
    },

    close: () => heads.close(),
  }
}
