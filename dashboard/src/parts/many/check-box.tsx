import type { Column } from '../table.tsx'
import type { RowWords } from './chosen.ts'
import type { Selection } from './selection.ts'

/** The column in front of a list: a box chooses a row; with shift, all from the last one to it. */
export const boxes = <Row,>(of: Selection<Row>, { nameOf, standsOf }: RowWords<Row>): Column<Row> => ({
  title: 'Chosen',
  isBare: true,
  cell: (row) => {
    const key = of.keyOf(row)
    const was = of.chosen.get(key)
    return (
      <>
        <input
          type="checkbox"
          aria-label={`Choose ${nameOf(row)}`}
          checked={was !== undefined}
          onClick={(event) => of.toggle(key, event.shiftKey)}
        />
        {was !== undefined && standsOf(was.row) !== standsOf(row) && (
          <span class="changed" title={`It was ${standsOf(was.row)} when it was chosen.`}>
            <span aria-hidden="true">▲</span>
            <span class="unseen">changed since it was chosen</span>
          </span>
        )}
      </>
    )
  },
})
