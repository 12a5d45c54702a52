import type { ComponentChildren } from 'preact'
import { giveCommand } from '../command.tsx'
import { commandLine } from '../command-line.ts'
import type { RowAct } from './choosing.ts'

interface CommandOfRow<Row> extends Pick<RowAct<Row>, 'verb' | 'says' | 'cannot' | 'undo' | 'isUndoable'> {
  /** As in `indexing.rescue`. */
  readonly name: string
  /** Its fields for a row, and of those that were filled in; before that, `typed` is absent. */
  readonly input: (row: Row, typed: FormData | undefined) => Readonly<Record<string, unknown>>
  readonly fields?: ComponentChildren
}

/** An operator's command for each row that is chosen. */
export const commandAct = <Row>({ name, input, ...shown }: CommandOfRow<Row>): RowAct<Row> => ({
  ...shown,
  command: name,
  act: (row, by, typed) => giveCommand(name, input(row, typed), by),
  line: (row, typed) => commandLine(name, input(row, typed)),
})
