import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, Refused } from '../../api/client.ts'
import { useNoActs } from '../../shell/may-act.ts'
import { Trouble } from '../trouble.tsx'
import { count } from '../words.ts'
import { maxChosen, type Selection } from './selection.ts'

interface BulkProps<Row> {
  readonly of: Selection<Row>
  readonly total: number
  /** All rows of the filter, up to the most that can be chosen. */
  readonly all: () => Promise<readonly Row[]>
  /** Buttons of what can be done with those that are chosen. */
  readonly children: ComponentChildren
}

/** In its place above a list: how many rows are chosen, and what can be done with all of them. */
export const Bulk = <Row,>({ of, total, all, children }: BulkProps<Row>) => {
  const noActs = useNoActs()
  const [problem, setProblem] = useState<Problem>()
  const n = of.chosen.size
  const chooseAll = async () => {
    try {
      of.choose(await all())
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setProblem(error.problem)
    }
  }
  if (noActs !== undefined) return <p class="bulk why flush">{noActs}</p>
  return (
    <fieldset class="bulk" aria-label="What can be done with those that are chosen">
      <strong role="status">{n === 0 ? 'None chosen' : `${count(n)} chosen`}</strong>
      {n > 0 ? (
        children
      ) : (
        <span class="why">
          <kbd>x</kbd> chooses a row, <kbd>⇧</kbd> <kbd>x</kbd> all up to it
        </span>
      )}
      <span class="end">
        {n < Math.min(total, maxChosen) && (
          <button type="button" class="small bare" onClick={chooseAll}>
            {total > maxChosen ? `Choose the first ${count(maxChosen)}` : `Choose all ${count(total)}`}
          </button>
        )}
        {n > 0 && (
          <button type="button" class="small bare" onClick={of.clear}>
            Choose none
          </button>
        )}
      </span>
      {problem && <Trouble problem={problem} />}
    </fieldset>
  )
}
