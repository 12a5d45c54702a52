import type { Answered } from './client.ts'

interface ViewRows<Row> {
  readonly rows: readonly Row[]
  readonly total?: number
}

/** Rows of a view, and how many there are: what is asked with `total`. */
export const counted = async <Row>(
  asked: Promise<Answered<ViewRows<Row>>>,
): Promise<Answered<Required<ViewRows<Row>>>> => {
  const {
    data: { rows, total = rows.length },
    at,
  } = await asked
  return { data: { rows, total }, at }
}

/** What a question lists under a name as rows, and how many there are. */
export const listed = async <Data extends { readonly total: number }, Name extends keyof Data>(
  name: Name,
  asked: Promise<Answered<Data>>,
): Promise<Answered<{ readonly rows: Data[Name]; readonly total: number }>> => {
  const { data, at } = await asked
  return { data: { rows: data[name], total: data.total }, at }
}
