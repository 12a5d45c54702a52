import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Problem, Refused } from '../api/client.ts'
import { hold } from '../api/hold.ts'
import { type Needs, useNoActs } from '../shell/may-act.ts'
import { Outcome, type Told } from './outcome.tsx'
import { SameLine } from './same-line.tsx'
import { Trouble } from './trouble.tsx'
import { uniqueKey } from './who.ts'
import { WhoAndWhy, whoAndWhyIn } from './who-and-why.tsx'

/** Who does it and why; `key` makes that it has its effect once, however often it is sent. */
export interface By {
  readonly actor: string
  readonly reason: string
  readonly key: string
}

interface ActProps {
  /** On the button. */
  readonly verb: string
  /** What it will do, in a sentence. */
  readonly says: ComponentChildren
  /** `fields` has those of its own. */
  readonly act: (by: By, fields: FormData) => Promise<Told>
  /** Fields of its own. */
  readonly children?: ComponentChildren
  /** Why it cannot be done, in a sentence. */
  readonly cannot?: string | undefined
  /** The same on the command line. */
  readonly line?: string
  /** Absent: the permission to operate. */
  readonly needs?: Needs
}

/** A button whose dialog asks actor and reason, and tells the outcome and its event. */
export const Act = (props: ActProps) => {
  const noActs = useNoActs(props.needs)
  const cannot = noActs ?? props.cannot
  const [isOpen, setOpen] = useState(false)
  const why = useId()
  return (
    <>
      <button
        type="button"
        disabled={cannot !== undefined}
        aria-describedby={why}
        onClick={() => setOpen(true)}
      >
        {props.verb}
      </button>
      {cannot !== undefined && (
        <span id={why} class="why">
          {cannot}
        </span>
      )}
      {isOpen && noActs === undefined && <ActDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const ActDialog = ({
  verb,
  says,
  act,
  children,
  line,
  onClose,
}: ActProps & { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const [key] = useState(uniqueKey)
  const [progress, setProgress] = useState<{ told?: Told; problem?: Problem; isUnderWay?: boolean }>({})
  useEffect(() => {
    dialog.current?.showModal()
    return hold()
  }, [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const by = whoAndWhyIn(form)
    const fields = new FormData(form)
    setProgress({ isUnderWay: true })
    try {
      setProgress({ told: await act({ ...by, key }, fields) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setProgress({ problem: error.problem })
    }
  }

  const { told, problem, isUnderWay = false } = progress
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{verb}</h2>
      <p>{says}</p>
      {told ? (
        <Outcome told={told} />
      ) : (
        <form id={`${title}-form`} onSubmit={submit}>
          {children}
          <WhoAndWhy />
          {line !== undefined && <SameLine line={line} />}
          {problem && <Trouble problem={problem} />}
        </form>
      )}
      <div class="buttons">
        {!told && (
          <button type="submit" form={`${title}-form`} class="main" disabled={isUnderWay}>
            {isUnderWay ? 'Under way …' : verb}
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          {told ? 'Close' : 'Leave it'}
        </button>
      </div>
    </dialog>
  )
}
