import { useRef, useState } from 'preact/hooks'
import { Link } from '../../address/use-address.tsx'
import { type Problem, Refused } from '../../api/client.ts'
import { sendAgain } from '../../api/send-again.ts'
import { type Taken, upload } from '../../api/upload.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Name } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { actorNow, rememberActor, uniqueKey } from '../../parts/who.ts'
import { bytes, plural } from '../../parts/words.ts'
import { useNoActs } from '../../shell/may-act.ts'
import { useSession } from '../../shell/session.tsx'
import { batchAt } from './addresses.ts'
import type { ChosenFile } from './chosen-files.ts'
import { DropZone } from './drop-zone.tsx'

interface Progress {
  readonly sent: number
  readonly all: number
  readonly isLost: boolean
  readonly stop: () => void
}

/** Hands files in: they go to the server as they are, and are a batch when they are all there. */
export const Submit = () => {
  const noActs = useNoActs()
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [progress, setProgress] = useState<Progress>()
  const [told, setTold] = useState<{ taken?: Taken; problem?: Problem; says?: string }>({})
  // Tried again after a lost connection, it is the same submission.
  const key = useRef(uniqueKey())
  const change = (chosen: readonly ChosenFile[]) => {
    key.current = uniqueKey()
    setFiles(chosen)
    setTold({})
  }

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    if (files.length === 0) return setTold({ says: 'Choose files first.' })
    const leaving = new AbortController()
    setTold({})
    setProgress({ sent: 0, all: 1, isLost: false, stop: () => leaving.abort(stopped) })
    try {
      const asked = formOf(form, files)
      const { signal } = leaving
      const send = () =>
        upload(asked, {
          key: key.current,
          signal,
          onProgress: (sent, all) =>
            setProgress((before) => before && { ...before, sent, all, isLost: false }),
        })
      const onLost = () => setProgress((before) => before && { ...before, sent: 0, isLost: true })
      const taken = await sendAgain(send, { signal, onLost })
      key.current = uniqueKey()
      setFiles([])
      setTold({ taken })
    } catch (error) {
      if (error === stopped) setTold({ says: 'Stopped: nothing of it was kept.' })
      else if (error instanceof Refused) setTold({ problem: error.problem })
      else throw error
    } finally {
      setProgress(undefined)
    }
  }

  if (noActs !== undefined) return <p class="why">{noActs} Nothing can be submitted.</p>
  return (
    <form onSubmit={submit} onInput={() => (key.current = uniqueKey())}>
      <DropZone files={files} onFiles={change} isLocked={progress !== undefined} />
      <Fields />
      {progress && <Sent progress={progress} />}
      {told.says && <p role="status">{told.says}</p>}
      {told.problem && <Trouble problem={told.problem} />}
      {told.taken && <TakenIn taken={told.taken} />}
      <div class="buttons">
        <button type="submit" class="main" disabled={progress !== undefined}>
          Submit
        </button>
      </div>
    </form>
  )
}

const stopped = new Error('a person stopped it')

/** The fields go before the files: what is wrong is refused before they come. */
const formOf = (form: HTMLFormElement, files: readonly ChosenFile[]): FormData => {
  const asked = new FormData()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') asked.append(name, value.trim())
  rememberActor(String(asked.get('submitter') ?? ''))
  for (const { path, file } of files) asked.append('file', file, path)
  return asked
}

const Fields = () => {
  const { person } = useSession()
  const { answered } = useAnswer('/api/v1/ingest/profiles')
  const profiles = answered?.data.profiles.map(({ profile }) => profile) ?? ['default']
  return (
    <div class="fields">
      <label>
        Who you are
        <input
          name="submitter"
          required
          defaultValue={person?.mail ?? person?.name ?? actorNow()}
          autocomplete="username"
        />
      </label>
      <label>
        Title
        <input name="title" autocomplete="off" />
      </label>
      <label>
        Creator
        <input name="creator" autocomplete="off" />
      </label>
      <label>
        What you call it (local id)
        <input name="localIdentifier" autocomplete="off" />
      </label>
      <label>
        Profile
        <select name="profile">
          {profiles.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        What the files are
        <select name="type">
          <option value="">found out by what they are</option>
          <option value="each-file">an object each</option>
          <option value="each-folder">folders, an object each</option>
          <option value="container">a container, to be unpacked</option>
          <option value="bag">a bag (BagIt): its folder, or a container of it</option>
          <option value="file">one file, as it is</option>
        </select>
      </label>
      <label>
        Mode
        <select name="mode">
          <option value="add">add: a version with these files alone</option>
          <option value="update">update: the last version’s files go along</option>
        </select>
      </label>
    </div>
  )
}

const lost = 'The connection was lost. All is sent again when the server answers: what came is not counted'

const Sent = ({ progress: { sent, all, isLost, stop } }: { readonly progress: Progress }) => (
  <p role="status">
    <label>
      {isLost ? lost : sent < all ? 'Sending' : 'All is sent; the server writes it to disk'}
      <progress value={sent} max={all} />
    </label>{' '}
    {all > 1 && `${bytes(sent)} of ${bytes(all)}`}{' '}
    <button type="button" onClick={stop}>
      Stop
    </button>
  </p>
)

const TakenIn = ({ taken: { batch, files = [] } }: { readonly taken: Taken }) => (
  <div role="status" class="outcome">
    <p>
      <strong>Handed in.</strong> {plural(files.length, 'file is', 'files are')} on the server’s disk, and not
      yet looked at. <Link to={batchAt(batch)}>What becomes of the batch</Link>
    </p>
    <details>
      <summary>The files as they came</summary>
      <ul>
        {files.map(({ path, size, sha256 }) => (
          <li key={path}>
            <Name text={path} />, {bytes(size)}, sha-256 <code class="name">{sha256}</code>
          </li>
        ))}
      </ul>
    </details>
  </div>
)
