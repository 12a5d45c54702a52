import type { Chosen, RowWords } from './chosen.ts'
import { type Done, doEach, nothingDone } from './do-each.ts'
import { type AskRows, inParts, lookAgain } from './find-rows.ts'

interface Run<Row, Outcome> extends RowWords<Row> {
  readonly chosen: ReadonlyMap<string, Chosen<Row>>
  readonly keyOf: (row: Row) => string
  readonly ask: AskRows<Row>
  readonly act: (row: Row, key: string) => Promise<Outcome>
  readonly cannot: (row: Row) => string | undefined
  /** It may have left its list since, as by what is taken back: the domain alone says whether it can be done. */
  readonly mayHaveLeft: boolean
  readonly refusalOf: Parameters<typeof doEach<never, Outcome>>[2]['refusalOf']
  readonly isUnchanged: (outcome: Outcome) => boolean
  /** Told of each row that was done, and of each that was not, as it is now; undefined: it left its list. */
  readonly onRow: (key: string, outcome: Outcome) => void
  readonly onChanged: (key: string, now: Chosen<Row> | undefined) => void
  readonly onDone: (done: Done) => void
  readonly signal: AbortSignal
}

/**
 * Does something to each row that is chosen and is as it was when it was chosen: a thousand at a time are looked at again before anything is
 * done to them. Rejects with what `ask` rejects with.
 */
export const runAct = async <Row, Outcome>(run: Run<Row, Outcome>): Promise<void> => {
  const { chosen, keyOf, ask, nameOf, standsOf, signal, onDone } = run
  let state: Done = nothingDone
  onDone(state)
  for (const part of inParts(chosen)) {
    if (signal.aborted || state.ended !== undefined) break
    const now = await lookAgain(ask, part, keyOf)
    const fit: { readonly name: string; readonly key: string; readonly row: Row }[] = []
    for (const [key, was] of part) {
      const found = now.get(key)
      const name = nameOf(was.row)
      const why = whyNot(was.row, found?.row, run)
      if (why === undefined) fit.push({ name, key, row: was.row })
      else state = { ...state, left: [...state.left, { name, why }] }
      if (found ? standsOf(found.row) !== standsOf(was.row) : !run.mayHaveLeft) run.onChanged(key, found)
    }
    state = await doEach(
      fit,
      ({ row, key }) => run.act(row, key),
      {
        refusalOf: run.refusalOf,
        isUnchanged: run.isUnchanged,
        onRow: ({ key }, outcome) => run.onRow(key, outcome),
        onDone,
        signal,
      },
      state,
    )
  }
  if (signal.aborted && !state.isStopped) onDone({ ...state, isStopped: true })
}

const whyNot = <Row>(
  was: Row,
  now: Row | undefined,
  { standsOf, cannot, mayHaveLeft }: Pick<Run<Row, never>, 'standsOf' | 'cannot' | 'mayHaveLeft'>,
): string | undefined => {
  if (now === undefined)
    return mayHaveLeft
      ? undefined
      : 'It is not where it was in the list any more: somebody may have settled it.'
  if (standsOf(now) !== standsOf(was))
    return `It changed since it was chosen: ${standsOf(was)} then, ${standsOf(now)} now.`
  return cannot(now)
}
