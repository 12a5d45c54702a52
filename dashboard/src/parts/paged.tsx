import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Answered } from '../api/client.ts'
import { useAsked } from '../api/use-answer.ts'
import { GoToRow } from './go-to-row.tsx'
import type { AskRows, Page } from './many/find-rows.ts'
import { OfNowNote } from './of-now.tsx'
import { rowsOf } from './rows-of.ts'
import { AsOf } from './time.tsx'
import { Trouble } from './trouble.tsx'
import type { Rows } from './use-window.ts'
import { Waiting } from './waiting.tsx'
import { count } from './words.ts'

/** The page that is shown, and a way to others: as an `ActTable` wants it. */
export interface PageShown<Row> {
  readonly list: string
  /** Place of its first row in the whole list. */
  readonly first: number
  readonly ask: AskRows<Row>
}

interface PagedProps<Data extends Rows<unknown>> {
  /** Which list it is: another name is another list, which begins at its first row. */
  readonly name: string
  readonly caption: string
  readonly ask: (page: Page, signal: AbortSignal) => Promise<Answered<Data>>
  readonly children: (data: Data, page: PageShown<Data['rows'][number]>) => ComponentChildren
  /** Rows a page. */
  readonly size?: number
}

const pageRows = 50

/** Rows of any height, a page at a time; each of them can be gone to. One-line rows are a `WindowList`. */
export const Paged = <Data extends Rows<unknown>>(props: PagedProps<Data>) => (
  <NamedPages key={props.name} {...props} />
)

const NamedPages = <Data extends Rows<unknown>>({
  name,
  caption,
  ask,
  children,
  size = pageRows,
}: PagedProps<Data>) => {
  const [first, setFirst] = useState(0)
  const shown = useAsked((signal) => ask({ offset: first, limit: size }, signal), `${name} ${first}`)
  // While the next page is on its way, the last one stays.
  const kept = useRef<Answered<Data> & { readonly first: number }>(undefined)
  if (shown.answered) kept.current = { ...shown.answered, first }
  const page = kept.current
  return (
    <>
      <OfNowNote is={shown.ofNow} />
      {shown.problem && <Trouble problem={shown.problem} />}
      {!page && !shown.problem && <Waiting />}
      {page && (
        <>
          {children(page.data, { list: name, first: page.first, ask: rowsOf<Data['rows'][number]>(ask) })}
          {page.data.total > page.data.rows.length && (
            <Pager
              caption={caption}
              first={page.first}
              rows={page.data.rows.length}
              total={page.data.total}
              size={size}
              goTo={setFirst}
            />
          )}
          <AsOf at={page.at} />
        </>
      )}
    </>
  )
}

interface PagerProps {
  readonly caption: string
  readonly first: number
  readonly rows: number
  readonly total: number
  readonly size: number
  readonly goTo: (row: number) => void
}

const Pager = ({ caption, first, rows, total, size, goTo }: PagerProps) => (
  <nav class="pager" aria-label={`Pages of: ${caption}`}>
    <button type="button" disabled={first === 0} onClick={() => goTo(Math.max(0, first - size))}>
      Before
    </button>
    <span role="status">
      {rows === 0 ? 'none' : `${count(first + 1)} to ${count(first + rows)}`} of {count(total)}
    </span>
    <button type="button" disabled={first + rows >= total} onClick={() => goTo(first + size)}>
      Next
    </button>
    <GoToRow total={total} goTo={goTo} />
  </nav>
)
