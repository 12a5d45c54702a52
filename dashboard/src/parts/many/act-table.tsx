import { useNoActs } from '../../shell/may-act.ts'
import { type Column, Table } from '../table.tsx'
import { Bulk } from './bulk.tsx'
import { boxes } from './check-box.tsx'
import type { Choosing } from './choosing.ts'
import type { AskRows } from './find-rows.ts'
import { useSelection } from './selection.ts'

interface ActTableProps<Row> {
  /** Which list it is: of another one nothing is chosen. */
  readonly list: string
  readonly caption: string
  readonly none: string
  readonly rows: readonly Row[]
  /** Place of the first of them in the whole list, which has `total`. */
  readonly first: number
  readonly total: number
  readonly ask: AskRows<Row>
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly choosing: Choosing<Row>
}

/** A page of a list whose rows can be chosen; those of other pages stay chosen. */
export const ActTable = <Row,>(props: ActTableProps<Row>) => {
  const { caption, none, rows, total, keyOf, columns, choosing } = props
  const isOff = useNoActs() !== undefined
  const selection = useSelection(props)
  return (
    <>
      {total > 0 && <Bulk of={selection} choosing={choosing} total={total} />}
      <Table
        caption={caption}
        none={none}
        rows={rows}
        keyOf={keyOf}
        isChosen={(row) => selection.chosen.has(keyOf(row))}
        columns={isOff ? columns : [boxes(selection, choosing), ...columns]}
      />
    </>
  )
}
