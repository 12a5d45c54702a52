import type { Condition, Row, Value, ViewQuery, ViewShape, ViewStore } from '../../ports/view-store.ts'

const pageSize = 2000

/**
 * The rows of a question, a page at a time. Without an order of their own, pages go on behind the last row's key, so
 * that rows written meanwhile neither shift nor slow them down; with one they go on by counting.
 */
export function* pagesOf(
  viewStore: ViewStore,
  view: ViewShape,
  question: ViewQuery,
): Generator<readonly Row[]> {
  if (question.orderBy && question.orderBy.length > 0) return yield* byOffset(viewStore, view.name, question)
  yield* byKey(viewStore, view, question)
}

function* byOffset(viewStore: ViewStore, view: string, question: ViewQuery): Generator<readonly Row[]> {
  const { limit: most = Number.POSITIVE_INFINITY, offset: start = 0 } = question
  for (let given = 0; given < most; ) {
    const limit = Math.min(pageSize, most - given)
    const rows = viewStore.query(view, { ...question, limit, offset: start + given })
    yield rows
    if (rows.length < limit) return
    given += rows.length
  }
}

/**
 * Rows behind a key of several columns: first those with the same beginning and a greater last column, then those with
 * a shorter same beginning, and so on. Conditions can only be joined by "and".
 */
function* byKey(
  viewStore: ViewStore,
  { name, key }: ViewShape,
  question: ViewQuery,
): Generator<readonly Row[]> {
  const { where = [], limit: most = Number.POSITIVE_INFINITY, offset = 0 } = question
  let last: Row | undefined
  let given = 0
  for (let same = key.length - 1; same >= 0 && given < most; ) {
    const limit = Math.min(pageSize, most - given)
    const behind = last ? behindKey(key, last, same) : []
    const rows = viewStore.query(name, {
      where: [...where, ...behind],
      limit,
      ...(!last && offset > 0 && { offset }),
    })
    if (rows.length > 0) yield rows
    given += rows.length
    if (!last && rows.length < limit) return
    // A page that is not full ends this beginning; a full one goes on behind its own last row.
    same = rows.length < limit ? same - 1 : key.length - 1
    last = rows.at(-1) ?? last
  }
}

const behindKey = (key: readonly string[], row: Row, same: number): readonly Condition[] =>
  key
    .slice(0, same + 1)
    .map((column, i) => ({ column, is: i < same ? '=' : '>', value: row[column] as Value }))
