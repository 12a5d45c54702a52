import { rows } from './read-views.ts'
import type { ColumnOf, Condition, Row, RowOf, Value, ViewQuery, ViewShape, Views } from './view.ts'

const pageSize = 2000

type Asking = Pick<Views, 'query'>

/**
 * Returns the rows of a query, a page at a time. Without `orderBy` a page continues behind the last row's key, so that
 * rows written meanwhile neither shift nor slow it down; with `orderBy` it continues by offset.
 */
export function* pagesOf<Shape extends ViewShape>(
  views: Asking,
  view: Shape,
  question: ViewQuery<ColumnOf<Shape>>,
): Generator<readonly RowOf<Shape>[]> {
  if (question.orderBy && question.orderBy.length > 0) return yield* byOffset(views, view, question)
  yield* byKey(views, view, question)
}

function* byOffset<Shape extends ViewShape>(
  views: Asking,
  view: Shape,
  question: ViewQuery<ColumnOf<Shape>>,
): Generator<readonly RowOf<Shape>[]> {
  const { limit: most = Number.POSITIVE_INFINITY, offset: start = 0 } = question
  for (let given = 0; given < most; ) {
    const limit = Math.min(pageSize, most - given)
    const page = rows(views, view, { ...question, limit, offset: start + given })
    yield page
    if (page.length < limit) return
    given += page.length
  }
}

/**
 * Reads the rows behind a key of several columns: first those with the same leading columns and a greater last one,
 * then those with fewer leading columns in common, and so on. Conditions can only be joined by "and".
 */
function* byKey<Shape extends ViewShape>(
  views: Asking,
  view: Shape,
  question: ViewQuery<ColumnOf<Shape>>,
): Generator<readonly RowOf<Shape>[]> {
  const { key } = view
  const { where = [], limit: most = Number.POSITIVE_INFINITY, offset = 0 } = question
  let last: RowOf<Shape> | undefined
  let given = 0
  for (let same = key.length - 1; same >= 0 && given < most; ) {
    const limit = Math.min(pageSize, most - given)
    const behind = last ? behindKey(key, last, same) : []
    const page = rows(views, view, {
      where: [...where, ...behind],
      limit,
      ...(!last && offset > 0 && { offset }),
    })
    if (page.length > 0) yield page
    given += page.length
    if (!last && page.length < limit) return
    // A page that is not full ends this prefix; behind a full one, the next page continues from its last row.
    same = page.length < limit ? same - 1 : key.length - 1
    last = page.at(-1) ?? last
  }
}

const behindKey = (key: readonly string[], row: Row, same: number): readonly Condition[] =>
  key
    .slice(0, same + 1)
    .map((column, i) => ({ column, is: i < same ? '=' : '>', value: row[column] as Value }))
