import type { ComponentChildren } from 'preact'
import type { By } from '../act.tsx'
import type { Told } from '../outcome.tsx'
import type { RowWords } from './chosen.ts'

/** What may be done with rows of a list, one or many at once: a command for each, with one reason. */
export interface RowAct<Row> {
  /** On the button. */
  readonly verb: string
  /** The command that it gives: whoever may not give it is not offered it. */
  readonly command?: string
  /** What it does to each, in a sentence. */
  readonly says: string
  readonly act: (row: Row, by: By, fields: FormData) => Promise<Told>
  /** Why it cannot be done to this row, in a sentence. */
  readonly cannot?: (row: Row) => string | undefined
  /** Fields of its own, beside who and why. */
  readonly fields?: ComponentChildren
  /** The same on the command line, for one row. */
  readonly line: (row: Row, fields: FormData | undefined) => string
  /** Takes it back, by a command of its own; of the row as it was before. */
  readonly undo?: Omit<RowAct<Row>, 'undo' | 'fields'>
  /** Whether there is a way back for a row as it was before; for each unless said. */
  readonly isUndoable?: (before: Row) => boolean
}

/** Rows of a list that can be chosen, and what can be done with them. */
export interface Choosing<Row> extends RowWords<Row> {
  /** One of them, and several. */
  readonly nouns: readonly [one: string, many: string]
  readonly acts: readonly RowAct<Row>[]
}
