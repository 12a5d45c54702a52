import { setImmediate } from 'node:timers/promises'
import { rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { canonicalJson } from '../../../domain/matching/canonical-json.ts'
import type { Document } from '../../../domain/matching/merged/document.ts'
import { merged } from '../../../domain/matching/views.ts'
import type { MergedRow } from '../tables.ts'
import type { Comparison } from './answers.ts'

const pageSize = 1000
const maxExamples = 20

/**
 * The documents of two generations side by side, whatever their versions. They are read page by page: memory stays flat,
 * and other work runs in between. What is written meanwhile may be seen or not.
 */
export const compareGenerations = async (
  store: Views,
  first: number,
  second: number,
): Promise<Comparison> => {
  const counts = { same: 0, different: 0, onlyInFirst: 0, onlyInSecond: 0 }
  const examples: Comparison['examples'][number][] = []
  for await (const documents of byWork(store)) {
    const one = documents.find(({ generation }) => generation === first)
    const other = documents.find(({ generation }) => generation === second)
    const what = verdict(one, other)
    if (!what) continue
    counts[what]++
    const work = documents[0]!.work
    if (what !== 'same' && examples.length < maxExamples)
      examples.push({ work, first: documentOf(one), second: documentOf(other) })
  }
  return { first, second, ...counts, examples }
}

const verdict = (one: MergedRow | undefined, other: MergedRow | undefined): keyof Counts | undefined => {
  if (one && other)
    return canonicalJson(one.document) === canonicalJson(other.document) ? 'same' : 'different'
  return one ? 'onlyInFirst' : other && 'onlyInSecond'
}

type Counts = Pick<Comparison, 'same' | 'different' | 'onlyInFirst' | 'onlyInSecond'>

const documentOf = (row: MergedRow | undefined): Document | null => (row ? row.document : null)

/** What each work is shown as, in all generations: they stand side by side in the view. */
async function* byWork(store: Views): AsyncGenerator<readonly MergedRow[]> {
  for (let after = ''; ; await setImmediate()) {
    const page = rows(store, merged, {
      where: [{ column: 'work', is: '>', value: after }],
      limit: pageSize,
    })
    const works = [...Map.groupBy(page, ({ work }) => work)]
    const isLast = page.length < pageSize
    // The last work of a page may continue on the next; there are far fewer generations than rows in a page.
    for (const [, documents] of isLast ? works : works.slice(0, -1)) yield documents
    const end = works.at(-2)
    if (isLast || !end) return
    after = end[0]
  }
}
