/** A row that was chosen, as it was then. */
export interface Chosen<Row> {
  readonly row: Row
  /** Where in its list it stood, from 0. */
  readonly place: number
}

/** Most rows that one act is given for. */
export const maxChosen = 10_000

/** What of a row people go by. */
export interface RowWords<Row> {
  /** The row in a few words: for whoever hears the page, and where it is refused. */
  readonly nameOf: (row: Row) => string
  /** What a person decides by. Where it is not as it was when the row was chosen, nothing is done to it. */
  readonly standsOf: (row: Row) => string
}
