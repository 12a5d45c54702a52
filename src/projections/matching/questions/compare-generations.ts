import { setImmediate } from 'node:timers/promises'
import { narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { canonicalJson } from '../../../domain/matching/canonical-json.ts'
import type { Document } from '../../../domain/matching/merged/document.ts'
import { works } from '../../../domain/matching/views.ts'
import type { MergedRow } from '../tables.ts'
import type { Comparison } from './answers.ts'
import { mergedRow } from './reading.ts'
import { titleReader } from './titles.ts'

const pageSize = 1000
const maxExamples = 20

/**
 * The documents of two generations side by side, whatever their versions. Each is found by its key, as of any moment;
 * works are read page by page: memory stays flat, and other work runs in between. Documents written meanwhile may be
 * included or not.
 */
export const compareGenerations = async (
  store: Views,
  first: number,
  second: number,
): Promise<Comparison> => {
  const counts = { same: 0, different: 0, onlyInFirst: 0, onlyInSecond: 0 }
  const titleOf = titleReader(store)
  const examples: Comparison['examples'][number][] = []
  for await (const ids of pagesOfWorks(store))
    for (const work of ids) {
      const [one, other] = [mergedRow(store, first, work), mergedRow(store, second, work)]
      const what = verdict(one, other)
      if (!what) continue
      counts[what]++
      if (what !== 'same' && examples.length < maxExamples)
        examples.push({ work, title: titleOf(work), first: documentOf(one), second: documentOf(other) })
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

async function* pagesOfWorks(store: Views): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined = ''; after !== undefined; await setImmediate()) {
    const page: readonly string[] = narrowRows(store, works, ['work'], {
      where: [{ column: 'work', is: '>', value: after }],
      orderBy: [{ column: 'work' }],
      limit: pageSize,
    }).map(({ work }) => work)
    yield page
    after = page.at(-1)
  }
}
