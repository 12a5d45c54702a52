import { useEffect, useState } from 'preact/hooks'
import { noPermission, useNoActs } from '../../shell/may-act.ts'
import { useSession } from '../../shell/session.tsx'
import { Trouble } from '../trouble.tsx'
import { count, plural } from '../words.ts'
import { ActDialog, type Undoable } from './act-dialog.tsx'
import type { Choosing, RowAct } from './choosing.ts'
import { maxChosen } from './chosen.ts'
import type { Selection } from './selection.ts'

interface BulkProps<Row> {
  readonly of: Selection<Row>
  readonly choosing: Choosing<Row>
  readonly total: number
}

interface Open<Row> {
  readonly act: RowAct<Row>
  readonly undoes?: Undoable<Row>
}

/** In its place above a list: how many rows are chosen, what can be done with all of them, and what was just done and can be taken back. */
export const Bulk = <Row,>({ of, choosing, total }: BulkProps<Row>) => {
  const noActs = useNoActs()
  const [open, setOpen] = useState<Open<Row>>()
  const [last, setLast] = useState<Undoable<Row>>()
  const n = of.chosen.size
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      const isElsewhere = document.querySelector('dialog[open]') !== null || isField(target)
      if (key === 'Escape' && !isElsewhere) of.clear()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (noActs !== undefined) return <p class="bulk why flush">{noActs}</p>
  return (
    <>
      <fieldset class="bulk" aria-label="What can be done with those that are chosen">
        <strong role="status">{n === 0 ? 'None chosen' : `${count(n)} chosen`}</strong>
        {n > 0 ? (
          <Acts of={of} choosing={choosing} onOpen={(act) => setOpen({ act })} />
        ) : (
          <span class="why">
            <kbd>x</kbd> chooses a row, <kbd>⇧</kbd> <kbd>x</kbd> all up to it
          </span>
        )}
        {last && (
          <button type="button" class="small" onClick={() => setOpen({ act: last.act, undoes: last })}>
            Undo: {last.act.verb} {plural(last.rows.size, ...choosing.nouns)}
          </button>
        )}
        <span class="end">
          {n < Math.min(total, maxChosen) && (
            <button type="button" class="small bare" onClick={of.chooseAll} disabled={of.isAsking}>
              {of.isAsking
                ? 'Choosing …'
                : total > maxChosen
                  ? `Choose the first ${count(maxChosen)}`
                  : `Choose all ${count(total)}`}
            </button>
          )}
          {n > 0 && (
            <button type="button" class="small bare" onClick={of.clear}>
              Choose none
            </button>
          )}
        </span>
        {of.problem && <Trouble problem={of.problem} />}
      </fieldset>
      {open && (
        <ActDialog
          of={of}
          choosing={choosing}
          {...open}
          onDone={setLast}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null

interface ActsProps<Row> {
  readonly of: Selection<Row>
  readonly choosing: Choosing<Row>
  readonly onOpen: (act: RowAct<Row>) => void
}

/** Buttons of what can be done to one of the chosen rows at least; where there is nothing, why. */
const Acts = <Row,>({ of, choosing, onOpen }: ActsProps<Row>) => {
  const session = useSession()
  const rows = [...of.chosen.values()]
  const [first] = choosing.acts
  const allowed = choosing.acts.filter(({ command }) => noPermission(session, { command }) === undefined)
  const fit = allowed.filter(({ cannot }) => rows.some(({ row }) => cannot?.(row) === undefined))
  const why =
    allowed.length === 0
      ? noPermission(session, { command: first?.command })
      : rows[0] && allowed[0]?.cannot?.(rows[0].row)
  if (fit.length === 0) return <span class="why">Nothing can be done with them: {why}</span>
  return fit.map((act) => (
    <button key={act.verb} type="button" class="small" onClick={() => onOpen(act)}>
      {act.verb}
    </button>
  ))
}
