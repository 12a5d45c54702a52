import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, Refused } from '../api/client.ts'
import { type Sent, sendLines } from '../api/send-lines.ts'
import { useNoActs } from '../shell/may-act.ts'
import { visible } from './name.tsx'
import { SameLine } from './same-line.tsx'
import { Trouble } from './trouble.tsx'
import { uniqueKey } from './who.ts'
import { bytes, count, plural } from './words.ts'

interface SendFileProps {
  readonly topic: string
  /** A line of it, and several: `record`, `records`. */
  readonly counts: readonly [one: string, many: string]
  /** An example of a line. */
  readonly example: string
  /** What becomes of them, in a sentence. */
  readonly says: string
  /** Why it cannot be done, in a sentence. */
  readonly cannot?: string | undefined
}

interface State {
  readonly sent?: Sent
  readonly size: number
  readonly is: 'under way' | 'lost' | 'done' | 'stopped'
  readonly problem?: Problem
}

/** A file of lines of JSON, sent from the browser in parts: how far it is, and which lines cannot be used. */
export const SendFile = ({ topic, counts: [one, many], example, says, cannot }: SendFileProps) => {
  const noActs = useNoActs() ?? cannot
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const [name, setName] = useState('')
  const [state, setState] = useState<State>()
  const isBusy = state?.is === 'under way' || state?.is === 'lost'

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file') as File
    const size = file.size
    leaving.current = new AbortController()
    setState({ size, is: 'under way' })
    try {
      const sent = await sendLines(topic, file, {
        key: uniqueKey(),
        signal: leaving.current.signal,
        onProgress: (sent) => setState({ sent, size, is: 'under way' }),
        onLost: () => setState((before) => ({ size, ...before, is: 'lost' })),
      })
      setState({ sent, size, is: 'done' })
    } catch (error) {
      if (leaving.current.signal.aborted) setState((before) => ({ size, ...before, is: 'stopped' }))
      else if (error instanceof Refused)
        setState((before) => ({ size, ...before, is: 'stopped', problem: (error as Refused).problem }))
      else throw error
    }
  }

  return (
    <>
      <form onSubmit={submit}>
        <div class="field">
          <label for="lines">File of {many}</label>
          <input
            id="lines"
            name="file"
            type="file"
            required
            disabled={noActs !== undefined}
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            aria-describedby="lines-says"
            onChange={({ currentTarget }) => setName(currentTarget.files?.[0]?.name ?? '')}
          />
          <small id="lines-says">
            A line of JSON for each {one}, in UTF-8; a line has at most 1 MB, a file may have millions. Such
            as: <code>{example}</code>
          </small>
        </div>
        <p>{says}</p>
        <p class="buttons">
          <button type="submit" class="main" disabled={noActs !== undefined || isBusy}>
            {isBusy ? 'Sending …' : `Send the ${many}`}
          </button>
          {isBusy && (
            <button type="button" onClick={() => leaving.current.abort()}>
              Stop
            </button>
          )}
          {noActs !== undefined && <span class="why">{noActs}</span>}
        </p>
        <SameLine line={`fonds produce ${topic} ${name === '' ? `${many}.ndjson` : visible(name)}`} />
      </form>
      {state && <Progress state={state} counts={[one, many]} />}
    </>
  )
}

const Progress = ({
  state: { sent, size, is, problem },
  counts: [one, many],
}: {
  readonly state: State
  readonly counts: readonly [string, string]
}) => {
  const { bytes: done = 0, accepted = 0, refused = 0, first = [] } = sent ?? {}
  return (
    <>
      {(is === 'under way' || is === 'lost') && (
        <label>
          {bytes(done)} of {bytes(size)} sent
          <progress max={Math.max(size, 1)} value={done} />
        </label>
      )}
      {is === 'lost' && (
        <p role="status">
          The connection was lost. The rest is sent when the server answers: no line counts twice.
        </p>
      )}
      {problem && <Trouble problem={problem} />}
      {(is === 'done' || is === 'stopped') && (
        <p role="status">
          <strong>{is === 'done' ? 'Sent' : 'Stopped'}:</strong> {plural(accepted, one, many)} taken
          {refused > 0 && `, ${plural(refused, 'line')} cannot be used`}.{' '}
          {is === 'stopped' && 'What was taken stays; sending the whole file again is harmless.'}
        </p>
      )}
      {first.length > 0 && (
        <ol class="refused-lines flush">
          {first.map(({ line, message }) => (
            <li key={line}>
              <strong>Line {count(line)}</strong>: {visible(message)}
            </li>
          ))}
        </ol>
      )}
      {refused > first.length && <p>These are the first {count(first.length)} of them.</p>}
    </>
  )
}
