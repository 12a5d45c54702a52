import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf, answered, type Problem, Refused } from '../../api/client.ts'
import { sendAgain } from '../../api/send-again.ts'
import { Name } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { rememberWho, Who } from '../../parts/who-field.tsx'
import { bytes } from '../../parts/words.ts'
import { useNoActs } from '../../shell/may-act.ts'
import { findingsAt } from './addresses.ts'

interface Sent {
  readonly clip: string
  readonly bytes: number
}

/** Sends a clip that a person has as a file. */
export const Upload = () => {
  const noActs = useNoActs()
  const [name, setName] = useState('')
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const [progress, setProgress] = useState<{
    sent?: Sent
    problem?: Problem
    isUnderWay?: boolean
    isLost?: boolean
  }>({})

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = event.currentTarget as HTMLFormElement
    const form = new FormData(fields)
    const [file, clip, curator] = [
      form.get('file') as File,
      String(form.get('clip')),
      String(form.get('curator')),
    ]
    rememberWho(fields, 'curator')
    setProgress({ isUnderWay: true })
    try {
      const address = addressOf(
        '/api/v1/research/clips/{clip}/media',
        { clip },
        { curator, title: form.get('title') },
      )
      const headers = { 'content-type': 'application/octet-stream' }
      const { signal } = leaving.current
      const send = () => answered(address, { method: 'PUT', headers, body: file, signal })
      const onLost = () => setProgress({ isUnderWay: true, isLost: true })
      const response = await sendAgain(send, { signal, onLost })
      setProgress({ sent: (await response.json()) as Sent })
    } catch (error) {
      if (leaving.current.signal.aborted) return
      if (!(error instanceof Refused)) throw error
      setProgress({ problem: error.problem })
    }
  }

  const { sent, problem, isUnderWay = false, isLost = false } = progress
  return (
    <details open={sent !== undefined || problem !== undefined}>
      <summary>Look for another clip</summary>
      <form onSubmit={submit}>
        <label>
          Sound: mp3, wav, flac or ogg
          <input
            name="file"
            type="file"
            accept="audio/*,.mp3,.wav,.flac,.ogg"
            required
            onChange={({ currentTarget }) =>
              setName(currentTarget.files?.[0]?.name.replace(/\.\w+$/, '') ?? '')
            }
          />
        </label>
        <label>
          Its id
          <input name="clip" required maxLength={200} defaultValue={name} autocomplete="off" />
        </label>
        <label>
          Its title (may be left out)
          <input name="title" maxLength={500} autocomplete="off" />
        </label>
        <Who name="curator" maxLength={200} />
        <p class="buttons">
          <button type="submit" class="main" disabled={noActs !== undefined || isUnderWay}>
            {isUnderWay ? 'Sending …' : 'Send the clip'}
          </button>
          {noActs !== undefined && <span class="why">{noActs}</span>}
        </p>
      </form>
      {isLost && (
        <p role="status">
          The connection was lost. The clip is sent again when the server answers: what came is not counted.
        </p>
      )}
      {problem && <Trouble problem={problem} />}
      {sent && (
        <p role="status">
          <strong>Sent:</strong> {bytes(sent.bytes)}. <Name text={sent.clip} to={findingsAt(sent.clip)} /> is
          looked for from now on.
        </p>
      )}
    </details>
  )
}
