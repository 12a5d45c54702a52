import type { Selection } from './selection.ts'

interface CheckBoxProps<Row> {
  readonly of: Selection<Row>
  readonly row: string
  /** What is chosen by it. */
  readonly says: string
}

/** Chooses a row; with shift, all from the last one to it. */
export const CheckBox = <Row,>({ of, row, says }: CheckBoxProps<Row>) => (
  <input
    type="checkbox"
    aria-label={`Choose ${says}`}
    checked={of.chosen.has(row)}
    onClick={(event) => of.toggle(row, event.shiftKey)}
  />
)
