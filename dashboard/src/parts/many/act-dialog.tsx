import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Refused } from '../../api/client.ts'
import { hold } from '../../api/hold.ts'
import { SameLine } from '../same-line.tsx'
import { lastReasons, uniqueKey } from '../who.ts'
import { WhoAndWhy, whoAndWhyIn } from '../who-and-why.tsx'
import { count, plural } from '../words.ts'
import type { Choosing, RowAct } from './choosing.ts'
import type { Chosen } from './chosen.ts'
import type { Done } from './do-each.ts'
import { lookAgain } from './find-rows.ts'
import { endedOf, Progress } from './progress.tsx'
import { runAct } from './run-act.ts'
import type { Selection } from './selection.ts'

/** Rows to which something was done that can be taken back. */
export interface Undoable<Row> {
  readonly act: RowAct<Row>
  /** As they were before, and how each stood after; undefined: it left the list. */
  readonly rows: ReadonlyMap<string, Chosen<Row>>
  readonly after: ReadonlyMap<string, Chosen<Row>>
}

interface DialogProps<Row> {
  readonly of: Selection<Row>
  readonly choosing: Choosing<Row>
  readonly act: RowAct<Row>
  /** Takes something back. */
  readonly undoes?: Undoable<Row>
  readonly onDone: (undoable: Undoable<Row> | undefined) => void
  readonly onClose: () => void
}

/** Asks who and why, and does it to each row that is chosen, with one reason; each is a command of its own, with its event. */
export const ActDialog = <Row,>({ of, choosing, act, undoes, onDone, onClose }: DialogProps<Row>) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const rows = useRef(undoes ? undoes.rows : of.chosen).current
  const keys = useRef(new Map<string, string>()).current
  const [progress, setProgress] = useState<Done>()
  const [isOver, setOver] = useState(false)
  const stopping = useRef(new AbortController())
  useEffect(() => {
    dialog.current?.showModal()
    const release = hold()
    return () => {
      stopping.current.abort()
      release()
    }
  }, [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const by = whoAndWhyIn(form)
    const fields = new FormData(form)
    const done = new Map<string, Chosen<Row>>()
    try {
      await runAct({
        // What is taken back was left in a state that nobody may have changed since; the row as it was says what to go back to.
        chosen: undoes ? withAfter(undoes) : rows,
        keyOf: of.keyOf,
        ask: of.ask,
        nameOf: choosing.nameOf,
        standsOf: choosing.standsOf,
        cannot: (row) => act.cannot?.(row),
        mayHaveLeft: undoes !== undefined,
        act: (row, key) => {
          keys.set(key, keys.get(key) ?? uniqueKey())
          return act.act(undoes?.rows.get(key)?.row ?? row, { ...by, key: keys.get(key)! }, fields)
        },
        refusalOf,
        isUnchanged: ({ outcome }) => outcome === 'unchanged',
        onRow: (key, { outcome }) => {
          const was = rows.get(key)
          if (was && outcome !== 'unchanged' && (act.isUndoable?.(was.row) ?? true)) done.set(key, was)
          of.put(key, undefined)
        },
        onChanged: (key, now) => of.chosen.has(key) && of.put(key, now),
        onDone: setProgress,
        signal: stopping.current.signal,
      })
      if (undoes) onDone(without(undoes, done))
      else if (act.undo && done.size > 0)
        onDone({ act: act.undo, rows: done, after: await lookAgain(of.ask, done, of.keyOf) })
      else onDone(undefined)
    } catch (error) {
      const { why } = refusalOf(error)
      setProgress((before) => ({ done: 0, unchanged: 0, left: [], isStopped: false, ...before, ended: why }))
    }
    setOver(true)
  }

  const total = rows.size
  const [first] = rows.values()
  const [one, many] = choosing.nouns
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>
        {act.verb}: {plural(total, one, many)}
      </h2>
      <p>{act.says}</p>
      {progress === undefined ? (
        <form id={`${id}-form`} onSubmit={submit}>
          {act.fields}
          {!undoes && <Unfit of={[...rows.values()].map(({ row }) => row)} act={act} choosing={choosing} />}
          <WhoAndWhy {...(undoes && { reason: `taken back: ${lastReasons()[0] ?? ''}` })} />
          {first && <SameLine line={act.line(first.row, undefined)} of={total} />}
        </form>
      ) : (
        <Progress of={progress} total={total} isOver={isOver} />
      )}
      <div class="buttons">
        {progress === undefined && (
          <button type="submit" form={`${id}-form`} class="main">
            {act.verb}
          </button>
        )}
        {progress !== undefined && !isOver && endedOf(progress) < total && (
          <button type="button" onClick={() => stopping.current.abort()}>
            Stop
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          {isOver ? 'Close' : 'Leave it'}
        </button>
      </div>
    </dialog>
  )
}

/** Rows as they stood behind the act that is taken back; where they had left the list, as before it. */
const withAfter = <Row,>({ rows, after }: Undoable<Row>): ReadonlyMap<string, Chosen<Row>> =>
  new Map([...rows].map(([key, was]) => [key, after.get(key) ?? was]))

/** What can be taken back still. */
const without = <Row,>(undoable: Undoable<Row>, done: ReadonlyMap<string, unknown>) => {
  const rows = new Map([...undoable.rows].filter(([key]) => !done.has(key)))
  return rows.size === 0 ? undefined : { ...undoable, rows }
}

/** The server is away, or the session is over: it is so for each row to come. */
const ofAll: ReadonlySet<number> = new Set([401, 403, 503])

const refusalOf = (error: unknown) => {
  if (!(error instanceof Refused)) throw error
  const { detail, status } = error.problem
  return { why: detail, isOfAll: ofAll.has(status) }
}

interface UnfitProps<Row> {
  readonly of: readonly Row[]
  readonly act: RowAct<Row>
  readonly choosing: Choosing<Row>
}

/** Those among the chosen to which it cannot be done, and why. */
const Unfit = <Row,>({ of, act, choosing: { nameOf } }: UnfitProps<Row>) => {
  const unfit = of.flatMap((row) => {
    const why = act.cannot?.(row)
    return why === undefined ? [] : [{ name: nameOf(row), why }]
  })
  const [first] = unfit
  if (!first) return null
  return (
    <p class="why">
      {count(unfit.length)} of them {unfit.length === 1 ? 'is' : 'are'} left as{' '}
      {unfit.length === 1 ? 'it is' : 'they are'}: {first.name}: {first.why}
    </p>
  )
}
