import { useState } from 'preact/hooks'
import type { Answered } from '../api/client.ts'
import { useAsked } from '../api/use-answer.ts'
import { LongList } from './long-list.tsx'
import type { Column } from './table.tsx'
import { AsOf } from './time.tsx'
import { Trouble } from './trouble.tsx'
import { type Rows, useWindow, windowAt, windowRows } from './use-window.ts'
import { Waiting } from './waiting.tsx'

export interface Page {
  readonly offset: number
  readonly limit: number
}

interface WindowListProps<Row> {
  /** Which list it is: another name is another list, which begins at its first row. */
  readonly name: string
  readonly ask: (page: Page, signal: AbortSignal) => Promise<Answered<Rows<Row>>>
  readonly caption: string
  /** In place of an empty list: why there is nothing. */
  readonly none: string
  /** Above it: how many there are, and in which order. */
  readonly says: (total: number) => string
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
}

/** A list of any length, of which the server is asked for what is seen. */
export const WindowList = <Row,>(props: WindowListProps<Row>) => <NamedList key={props.name} {...props} />

const NamedList = <Row,>({ name, ask, caption, none, says, columns, keyOf }: WindowListProps<Row>) => {
  const [first, setFirst] = useState(0)
  const offset = windowAt(first)
  const shown = useAsked((signal) => ask({ offset, limit: windowRows }, signal), `${name} ${offset}`)
  const list = useWindow<Row>(shown, offset)
  return (
    <>
      {shown.problem && <Trouble problem={shown.problem} />}
      {!list && !shown.problem && <Waiting />}
      {list?.total === 0 && <p class="none">{none}</p>}
      {list && list.total > 0 && (
        <>
          <p>{says(list.total)}</p>
          <LongList caption={caption} rows={list} onSeen={setFirst} keyOf={keyOf} columns={columns} />
        </>
      )}
      {shown.answered && <AsOf at={shown.answered.at} />}
    </>
  )
}
