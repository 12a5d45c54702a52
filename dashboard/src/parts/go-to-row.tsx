import { useId } from 'preact/hooks'
import { count } from './words.ts'

interface GoToRowProps {
  readonly total: number
  /** Is given the row's index, from 0. */
  readonly goTo: (row: number) => void
}

/** A field to go to any row of a long list. */
export const GoToRow = ({ total, goTo }: GoToRowProps) => {
  const field = useId()
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        const row = Number((document.getElementById(field) as HTMLInputElement).value)
        goTo(Math.min(Math.max(row, 1), total) - 1)
      }}
    >
      <label for={field}>Row, of {count(total)}</label>
      <input id={field} type="number" min={1} max={total} required />
      <button type="submit">Go there</button>
    </form>
  )
}
