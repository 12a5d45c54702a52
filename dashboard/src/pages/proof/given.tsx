import { useEffect, useId, useState } from 'preact/hooks'
import { Name, visible } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { FileVerdict } from './file-verdict.tsx'
import { KeptVerdict } from './kept-verdict.tsx'
import { type Given, useGiven } from './use-given.ts'

/** Proofs and checkpoints are some kilobytes. */
const maxBytes = 1_000_000

/** Fields for a proof file and for a checkpoint that a person kept, and what came of checking it. */
export const GivenProof = ({ trusted }: { readonly trusted: string | undefined }) => {
  const field = useId()
  const [given, setGiven] = useState<Given & { readonly round: number }>()
  const give = (next: Given | undefined) =>
    setGiven((before) => next && { ...next, round: (before?.round ?? 0) + 1 })
  const [tooLarge, setTooLarge] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    setTooLarge(file.size > maxBytes ? file.name : undefined)
    give(file.size > maxBytes ? undefined : { text: await file.text(), name: file.name })
  }
  const isDragged = useDrop(take)
  return (
    <>
      <section class={isDragged ? 'panel dragged' : 'panel'} aria-labelledby={`${field}-title`}>
        <h2 id={`${field}-title`}>Check what you have</h2>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setTooLarge(undefined)
            give({ text: String(new FormData(event.currentTarget).get('kept')), name: undefined })
          }}
        >
          <div class="field">
            <label for={`${field}-file`}>Proof file, or a checkpoint that you kept</label>
            <input
              id={`${field}-file`}
              type="file"
              class="drop"
              accept=".tlog-proof,.checkpoint,.txt,text/plain"
              aria-describedby={`${field}-drop`}
              onChange={({ currentTarget }) => {
                void take(currentTarget.files?.[0])
                // The same file can be chosen again.
                currentTarget.value = ''
              }}
            />
            <small id={`${field}-drop`}>
              Choose it, or drop it anywhere on this page. It stays in this browser.
            </small>
          </div>
          <label for={`${field}-kept`}>
            Against a checkpoint you kept
            <textarea
              id={`${field}-kept`}
              name="kept"
              rows={5}
              required
              spellcheck={false}
              placeholder="An older copy of /proof/checkpoint"
            />
          </label>
          <div class="buttons">
            <button type="submit" class="small">
              Compare with today’s
            </button>
          </div>
        </form>
        {tooLarge !== undefined && (
          <p class="trouble" role="status">
            {visible(tooLarge)} has more than 1 MB: it is neither a proof nor a checkpoint. Nothing was
            checked.
          </p>
        )}
      </section>
      {given && <Result key={`${given.round} ${trusted}`} given={given} trusted={trusted} />}
    </>
  )
}

const Result = ({ given, trusted }: { readonly given: Given; readonly trusted: string | undefined }) => {
  const title = useId()
  const outcome = useGiven(given, trusted)
  return (
    <section class="panel" aria-labelledby={title}>
      <h2 id={title}>{given.name === undefined ? 'What you pasted' : <Name text={given.name} />}</h2>
      {(outcome === undefined || outcome.kind === 'asking') && <Waiting />}
      {outcome?.kind === 'refused' && (
        <>
          <p>Nothing was compared.</p>
          <Trouble problem={outcome.problem} />
        </>
      )}
      {outcome?.kind === 'unchecked' && (
        <p class="of-now" role="status">
          Nothing was checked. {visible(outcome.why)}
        </p>
      )}
      {outcome?.kind === 'file' && <FileVerdict of={outcome.checked} isTrusted={trusted !== undefined} />}
      {outcome?.kind === 'kept' && <KeptVerdict of={outcome} isTrusted={trusted !== undefined} />}
    </section>
  )
}

/** Takes a file that is dropped anywhere on the page; whether one is held above it. */
const useDrop = (take: (file: File | undefined) => Promise<void>): boolean => {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setDragged(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setDragged(false)
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setDragged(false)
      void take(event.dataTransfer.files[0])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isDragged
}
