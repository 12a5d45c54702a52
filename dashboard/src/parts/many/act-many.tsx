import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Refused } from '../../api/client.ts'
import { hold } from '../../api/hold.ts'
import type { By } from '../act.tsx'
import { Name } from '../name.tsx'
import { uniqueKey } from '../who.ts'
import { WhoAndWhy, whoAndWhyIn } from '../who-and-why.tsx'
import { count, plural } from '../words.ts'
import { type Done, doEach } from './do-each.ts'
import type { Selection } from './selection.ts'

interface ActManyProps<Row> {
  readonly of: Selection<Row>
  readonly verb: string
  /** What it does to each, in a sentence. */
  readonly says: string
  readonly act: (row: Row, by: By) => Promise<unknown>
}

/** One act for all rows that are chosen, with one reason; each is a command of its own, with its event. */
export const ActMany = <Row,>(props: ActManyProps<Row>) => {
  const [isOpen, open] = useState(false)
  return (
    <>
      <button type="button" class="small" onClick={() => open(true)}>
        {props.verb}
      </button>
      {isOpen && <Dialog {...props} onClose={() => open(false)} />}
    </>
  )
}

const Dialog = <Row,>({
  of,
  verb,
  says,
  act,
  onClose,
}: ActManyProps<Row> & { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const rows = useRef([...of.chosen].map(([name, row]) => ({ name, row, key: uniqueKey() }))).current
  const [progress, setProgress] = useState<Done>()
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
    const by = whoAndWhyIn(event.currentTarget as HTMLFormElement)
    const { signal } = stopping.current
    await doEach(rows, ({ row, key }) => act(row, { ...by, key }), { refusalOf, onDone: setProgress, signal })
  }
  const close = () => {
    if (progress && progress.refused.length === 0 && progress.done === rows.length) of.clear()
    onClose()
  }
  const isOver = progress !== undefined && (progress.isStopped || ended(progress) === rows.length)
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 id={id}>
        {verb}: {plural(rows.length, 'item')}
      </h2>
      <p>{says}</p>
      {progress === undefined ? (
        <form id={`${id}-form`} onSubmit={submit}>
          <WhoAndWhy />
        </form>
      ) : (
        <Progress of={progress} total={rows.length} isOver={isOver} />
      )}
      <div class="buttons">
        {progress === undefined && (
          <button type="submit" form={`${id}-form`} class="main">
            {verb}
          </button>
        )}
        {progress !== undefined && !isOver && (
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

const ended = ({ done, refused }: Done): number => done + refused.length

const refusalOf = (error: unknown): string => {
  if (error instanceof Refused) return error.problem.detail
  throw error
}

const maxRefusals = 20

interface ProgressProps {
  readonly of: Done
  readonly total: number
  readonly isOver: boolean
}

const Progress = ({ of: progress, total, isOver }: ProgressProps) => {
  const { done, refused, isStopped } = progress
  const left = total - ended(progress)
  return (
    <>
      <progress max={total} value={ended(progress)} aria-label="How far it is" />
      <p role="status">
        {isOver && left === 0 && refused.length === 0 ? <strong>Done.</strong> : null} {count(done)} of{' '}
        {count(total)} done
        {refused.length > 0 && `, ${count(refused.length)} refused`}
        {isStopped && left > 0 && `, ${count(left)} not begun: it was stopped`}.
      </p>
      {refused.length > 0 && (
        <ul class="plain">
          {refused.slice(0, maxRefusals).map(({ name, why }) => (
            <li key={name}>
              <Name text={name} />: <Name text={why} isWhole />
            </li>
          ))}
          {refused.length > maxRefusals && (
            <li class="why">and {count(refused.length - maxRefusals)} more</li>
          )}
        </ul>
      )}
    </>
  )
}
