/** How far an act for many rows is. */
export interface Done {
  readonly done: number
  /** Rows for which it was refused, each with the reason. */
  readonly refused: readonly { readonly name: string; readonly why: string }[]
  readonly isStopped: boolean
}

interface Asked {
  /** Why a row was refused; throws where the error is another. */
  readonly refusalOf: (error: unknown) => string
  readonly onDone: (done: Done) => void
  /** Ends it: what is under way ends, nothing more is begun. */
  readonly signal: AbortSignal
}

/** So many are under way at once. */
const atOnce = 4

/** Does something to each row, and tells how far it is. One that is refused does not keep the others from being done. */
export const doEach = async <Row extends { readonly name: string }>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  { refusalOf, onDone, signal }: Asked,
): Promise<void> => {
  let state: Done = { done: 0, refused: [], isStopped: false }
  const tell = (change: Partial<Done>) => {
    state = { ...state, ...change }
    onDone(state)
  }
  tell({})
  const next = rows.values()
  const work = async (): Promise<void> => {
    for (const row of next) {
      if (signal.aborted) return
      try {
        await act(row)
        tell({ done: state.done + 1 })
      } catch (error) {
        tell({ refused: [...state.refused, { name: row.name, why: refusalOf(error) }] })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (signal.aborted) tell({ isStopped: true })
}
