import type { Views } from '../../../domain/kernel/view.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { LinkRow } from '../tables.ts'
import type { LinkLine, WorkNode } from './answers.ts'
import { mergedRow, workRow } from './reading.ts'

/** Works as one answer shows them; each is read once. */
export const nodeReader = (store: Views, generation: number): ((id: string) => WorkNode) => {
  const known = new Map<string, WorkNode>()
  const read = (id: string): WorkNode => {
    const work = workRow(store, id)
    const document = work && mergedRow(store, generation, id)
    return {
      id,
      state: work?.state ?? 'placeholder',
      source: work?.source ?? null,
      sourceVersion: work?.sourceVersion ?? null,
      title: work?.title ?? null,
      revision: work?.revision ?? null,
      document: document?.kind ?? null,
      redirectsTo: document?.to ?? null,
    }
  }
  return (id) => {
    const node = known.get(id) ?? read(id)
    known.set(id, node)
    return node
  }
}

/** A statement; it is active unless one of its ends is deleted. */
export const linkLine = (
  { from, to, reasons, statedAt, revision }: LinkRow,
  nodeOf: (id: string) => Pick<WorkNode, 'state'>,
): LinkLine => ({
  from,
  to,
  reasons,
  active: nodeOf(from).state !== 'deleted' && nodeOf(to).state !== 'deleted',
  statedAt: statedAt ?? '',
  revision: revision ?? 0,
})

export const byEnds = (one: LinkLine, other: LinkLine): number =>
  byId(one.from, other.from) || byId(one.to, other.to)
