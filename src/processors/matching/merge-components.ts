import { estimatedBytes, recentCache } from '@fonds/toolbox'
import { clip } from '../../domain/kernel/clip.ts'
import type { Member } from '../../domain/matching/graph/events.ts'
import { type Document, maxDocumentBytes, sizeOf } from '../../domain/matching/merged/document.ts'
import { documentsOf } from '../../domain/matching/merged/documents.ts'
import { InvalidMessageError } from '../runtime/invalid-message-error.ts'
import type { MergeTask } from './merge-task.ts'
import { type ContentSources, readContents } from './work-contents.ts'

/** The documents of all works of a component; or the reason why none of them is written. */
type Documents = ReadonlyMap<string, Document> | InvalidMessageError

/** Makes the documents of all works of each task's component, by the key of the task. `wholes`: its members, by key. */
type MergeComponents = (
  tasks: readonly MergeTask[],
  wholes: ReadonlyMap<string, readonly Member[]>,
) => Promise<ReadonlyMap<string, Documents>>

/** `cacheBytes`: for documents of components in pieces. */
export const createMergeComponents = (sources: ContentSources, cacheBytes: number): MergeComponents => {
  // So that fifty pieces are not merged fifty times.
  const recent = recentCache<Documents>(cacheBytes, estimatedBytes)

  return async (tasks, wholes) => {
    const merged = new Map<string, Documents>()
    const missing = new Map<string, MergeTask>()
    for (const task of tasks) {
      const known = recent.get(task.key)
      if (known) merged.set(task.key, known)
      else missing.set(task.key, task)
    }
    const wanted = latestOf([...missing.keys()].flatMap((key) => wholes.get(key)!))
    const contents = await readContents(wanted, sources)
    for (const [key, { component, rules, inPieces }] of missing) {
      const members = wholes.get(key)!.map(([work]) => contents.get(work)!)
      const documents = ofAllowedSize(documentsOf({ component, members }, rules))
      merged.set(key, documents)
      if (inPieces) recent.set(key, documents)
    }
    return merged
  }
}

/** The highest revision of each work. */
const latestOf = (members: readonly Member[]): ReadonlyMap<string, number> => {
  const latest = new Map<string, number>()
  for (const [work, revision] of members) latest.set(work, Math.max(revision, latest.get(work) ?? 0))
  return latest
}

/**
 * A document that the log takes may be too large for its topic, and later ones would wait for ever. None of the
 * component is written then: redirects to a missing work would be worse than the old documents.
 */
const ofAllowedSize = (documents: ReadonlyMap<string, Document>): Documents => {
  for (const [work, document] of documents) {
    const bytes = document.kind === 'merged' ? sizeOf(document) : 0
    if (bytes > maxDocumentBytes)
      return new InvalidMessageError(
        'too-large',
        `the document of ${clip(work, 200)} would take ${bytes} bytes, the limit is ${maxDocumentBytes}; its component stays as it was: send less in the fields of its records, or join fewer of them by the rules of another generation, then discard this`,
      )
  }
  return documents
}
