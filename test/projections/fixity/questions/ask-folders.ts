import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { type Dated, dated, type State } from '#src/domain/fixity/item-states.ts'
import { views } from '#src/domain/fixity/views.ts'
import type { Row, ViewShape } from '#src/domain/kernel/view.ts'
import type { Section } from '#src/projections/fixity/questions/answers.ts'
import { foldersQuestion } from '#src/projections/fixity/questions/folders-question.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import { openTestViews } from '../../../fakes/views.ts'

export const now = '2026-06-01T00:00:00.000Z'
export const before = '2026-05-31T22:00:00.000Z'
export const later = '2026-06-01T02:00:00.000Z'

const isDated: ReadonlySet<string> = new Set<State>(dated)

/** Views of these items, with what is counted of them. */
export const viewsOf = (given: readonly Partial<Row>[], shapes: readonly ViewShape[] = views) => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('fixity', 1, shapes)
  viewStore.promote(generation)
  const late = new Map<string, number>()
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    tables['fixity-stores']?.put({ store: 'main', kind: 'folder', words: {}, awaySeconds: 1 })
    for (const one of given) {
      const path = one.path as string
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
      const row: Partial<Row> = {
        store: 'main',
        folder,
        state: 'verified',
        queue: 'low',
        attempts: 0,
        ...one,
      }
      tables['fixity-items']?.put({ available: row.lateAfter ?? null, ...row })
      if (isDated.has(row.state as string) && typeof row.lateAfter === 'string') {
        const value = `${row.lateAfter.slice(0, 13)} ${row.state as Dated}`
        late.set(value, (late.get(value) ?? 0) + 1)
      }
    }
    for (const [value, count] of late)
      tables['fixity-counts']?.put({ of: 'late', store: 'main', value, count })
  })
  return viewStore
}

interface Answer extends Section {
  readonly folders: readonly (Section & { readonly prefix: string })[]
  readonly largest: readonly { readonly prefix: string }[]
  readonly total: number
  readonly isWhole: boolean
  readonly isLateCounted: boolean
}

export const ask = async (store: ReturnType<typeof viewsOf>, given: object = {}): Promise<Answer> => {
  const input = { store: 'main', folder: '', offset: 0, limit: 1000, ...given }
  const answered = await foldersQuestion.ask(store, input, { now } as Asking)
  if (isLeft(answered)) throw new Error(answered.left.message)
  return answered.right as Answer
}
