import { useState } from 'preact/hooks'
import type { Answered } from '../api/client.ts'
import { useAsked } from '../api/use-answer.ts'
import { useNoActs } from '../shell/may-act.ts'
import { LongList } from './long-list.tsx'
import { Bulk } from './many/bulk.tsx'
import { boxes } from './many/check-box.tsx'
import type { Choosing } from './many/choosing.ts'
import type { Page } from './many/find-rows.ts'
import { useSelection } from './many/selection.ts'
import { rowsOf } from './rows-of.ts'
import type { Column } from './table.tsx'
import { AsOf } from './time.tsx'
import { Trouble } from './trouble.tsx'
import { type Rows, useWindow, windowAt, windowRows } from './use-window.ts'
import { Waiting } from './waiting.tsx'

export type { Page }

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
  /** What can be done with rows that are chosen. */
  readonly choosing?: Choosing<Row>
}

/** A list of any length, of which the server is asked for what is seen. */
export const WindowList = <Row,>(props: WindowListProps<Row>) => <NamedList key={props.name} {...props} />

const NamedList = <Row,>({
  name,
  ask,
  caption,
  none,
  says,
  columns,
  keyOf,
  choosing,
}: WindowListProps<Row>) => {
  const [first, setFirst] = useState(0)
  const offset = windowAt(first)
  const shown = useAsked((signal) => ask({ offset, limit: windowRows }, signal), `${name} ${offset}`)
  const list = useWindow<Row>(shown, offset)
  const isOff = useNoActs() !== undefined
  const selection = useSelection({
    ...{ list: name, rows: list?.rows ?? [], first: list?.first ?? 0 },
    ...{ keyOf, ask: rowsOf(ask) },
  })
  return (
    <>
      {shown.problem && <Trouble problem={shown.problem} />}
      {!list && !shown.problem && <Waiting />}
      {list?.total === 0 && <p class="none">{none}</p>}
      {list && list.total > 0 && (
        <>
          <p>{says(list.total)}</p>
          {choosing && <Bulk of={selection} choosing={choosing} total={list.total} />}
          <LongList
            caption={caption}
            rows={list}
            onSeen={setFirst}
            keyOf={keyOf}
            columns={choosing && !isOff ? [boxes(selection, choosing), ...columns] : columns}
            isChosen={(row) => selection.chosen.has(keyOf(row))}
          />
        </>
      )}
      {shown.answered && <AsOf at={shown.answered.at} />}
    </>
  )
}
