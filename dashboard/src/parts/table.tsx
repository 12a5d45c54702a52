import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand on the right. */
  readonly isNumber?: boolean
  /** Its title is for screen readers alone. */
  readonly isBare?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** In place of an empty table: why there is nothing. */
  readonly none: string
  readonly isChosen?: (row: Row) => boolean
}

/** A table of at most some hundred rows; more are a `LongList`. */
export const Table = <Row,>({ caption, columns, rows, keyOf, none, isChosen }: TableProps<Row>) =>
  rows.length === 0 ? (
    <p class="none">{none}</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scrolls" tabIndex={0} aria-label={caption}>
      <table class="fold">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isBare }) => (
              <th key={title} scope="col" {...(isNumber && { class: 'number' })}>
                {isBare ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...(isChosen?.(row) && { class: 'chosen' })}>
              {columns.map(({ title, cell, isNumber, isBare }) => (
                <td key={title} data-title={isBare ? '' : title} {...(isNumber && { class: 'number' })}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
