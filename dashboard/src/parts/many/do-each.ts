/** Why a row was left as it is. */
export interface Left {
  readonly name: string
  readonly why: string
}

/** How far an act for many rows is. */
export interface Done {
  readonly done: number
  /** How many of these were so already: nothing was changed. */
  readonly unchanged: number
  /** Rows to which nothing was done, each with the reason. */
  readonly left: readonly Left[]
  readonly isStopped: boolean
  /** Why it ended before its end, in a sentence. */
  readonly ended?: string
}

export const nothingDone: Done = { done: 0, unchanged: 0, left: [], isStopped: false }

interface Refusal {
  readonly why: string
  /** Each row to come would be refused for it, too. */
  readonly isOfAll?: boolean
}

interface Asked<Row, Outcome> {
  /** Why a row was refused; throws where the error is another. */
  readonly refusalOf: (error: unknown) => Refusal
  /** Whether nothing was changed, for it was so already. */
  readonly isUnchanged: (outcome: Outcome) => boolean
  /** Told of each that was done. */
  readonly onRow?: (row: Row, outcome: Outcome) => void
  readonly onDone: (done: Done) => void
  /** Ends it: what is under way ends, nothing more is begun. */
  readonly signal: AbortSignal
}

/** So many are under way at once. */
const atOnce = 4

/** Does something to each row, and tells how far it is. One that is refused does not keep the others from being done. */
export const doEach = async <Row extends { readonly name: string }, Outcome>(
  rows: readonly Row[],
  act: (row: Row) => Promise<Outcome>,
  { refusalOf, isUnchanged, onRow, onDone, signal }: Asked<Row, Outcome>,
  before: Done = nothingDone,
): Promise<Done> => {
  let state = before
  const note = (change: Partial<Done>) => {
    state = { ...state, ...change }
    onDone(state)
  }
  note({})
  const next = rows.values()
  const work = async (): Promise<void> => {
    for (const row of next) {
      if (signal.aborted || state.ended !== undefined) return
      try {
        const outcome = await act(row)
        onRow?.(row, outcome)
        note({ done: state.done + 1, unchanged: state.unchanged + (isUnchanged(outcome) ? 1 : 0) })
      } catch (error) {
        const { why, isOfAll } = refusalOf(error)
        note({ left: [...state.left, { name: row.name, why }], ...(isOfAll && { ended: why }) })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (signal.aborted) note({ isStopped: true })
  return state
}
