import { useEffect, useRef, useState } from 'preact/hooks'
import { answered, get, type Problem, Refused } from '../../api/client.ts'
import { pause } from '../../api/pause.ts'
import { Name, visible } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { actorNow, rememberActor, uniqueKey } from '../../parts/who.ts'
import { episodeAt } from './addresses.ts'
import { curatedLine, mediaTypeOf, mediaTypes } from './programme-line.ts'

export const topic = 'fonds.research.episodes'

interface Progress {
  readonly is: 'sending' | 'waiting' | 'taken' | 'not known yet'
  readonly id: string
  readonly refused?: string
  readonly problem?: Problem
}

/** The form of one programme. It tells whether it was taken, and if not, why. */
export const OneProgramme = ({ cannot }: { readonly cannot: string | undefined }) => {
  const [type, setType] = useState<string>(mediaTypes.mp3)
  const [progress, setProgress] = useState<Progress>()
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const isBusy = progress?.is === 'sending' || progress?.is === 'waiting'

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const id = text('id')
    const line = curatedLine(
      {
        ...{ id, title: text('title'), place: text('place'), mediaType: text('mediaType') },
        ...{ curator: text('curator'), priority: text('priority') },
      },
      new Date(),
    )
    rememberActor(text('curator'))
    setProgress({ is: 'sending', id })
    const { signal } = leaving.current
    try {
      const message = await send(line, signal)
      setProgress({ is: 'waiting', id })
      setProgress({ id, ...(await becameOf(message, signal)) })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Refused)) throw error
      setProgress({ is: 'taken', id, problem: error.problem })
    }
  }

  return (
    <>
      <form onSubmit={submit}>
        <Field name="id" label="Its id" says="Unique among programmes: one with the same id is the same." />
        <Field name="title" label="Its title" says="As people know it." />
        <Field
          name="place"
          label="Where its sound is"
          says="Its address on the web, or a path of the server or s3://bucket/key beneath the folders that the setting mediaFolders names."
          placeholder="https://media.example/9.mp3"
          onInput={(place) => setType(mediaTypeOf(place) ?? type)}
        />
        <div class="field">
          <label for="mediaType">What it is</label>
          <select
            id="mediaType"
            name="mediaType"
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value)}
          >
            {Object.entries(mediaTypes).map(([name, value]) => (
              <option key={value} value={value}>
                {name} ({value})
              </option>
            ))}
          </select>
        </div>
        <Field
          name="curator"
          label="Who you are"
          says="Its curator: a capacity, or an exclusion, may be of a curator’s programmes."
          value={actorNow()}
        />
        <Field
          name="priority"
          label="Priority (may be left out)"
          says="A whole number: higher ones go first, 0 unless said."
          isOptional
        />
        <p>It is looked through for every clip that is known, and for those that come.</p>
        <p class="buttons">
          <button type="submit" class="main" disabled={cannot !== undefined || isBusy}>
            {isBusy ? 'Sending …' : 'Add the programme'}
          </button>
          {cannot !== undefined && <span class="why">{cannot}</span>}
        </p>
        <p class="why">
          The same on the command line:{' '}
          <code class="name">fonds produce {topic} programme.ndjson --wait</code>, with a line as below.
        </p>
      </form>
      {progress && <Told progress={progress} />}
    </>
  )
}

const Told = ({ progress: { is, id, refused, problem } }: { readonly progress: Progress }) => {
  if (problem) return <Trouble problem={problem} />
  if (refused !== undefined)
    return (
      <p class="trouble" role="status">
        <strong>It is not taken:</strong> {visible(refused)}
      </p>
    )
  if (is === 'taken')
    return (
      <p role="status">
        <strong>Taken:</strong> <Name text={id} to={episodeAt(id)} /> is looked through from now on.
      </p>
    )
  return is === 'not known yet' ? (
    <p role="status">
      It was sent, and nothing is known of it yet: it waits on its topic, or changed nothing.
    </p>
  ) : null
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly says: string
  readonly value?: string
  readonly placeholder?: string
  readonly isOptional?: true
  readonly onInput?: (value: string) => void
}

const Field = ({ name, label, says, value = '', placeholder, isOptional, onInput }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      required={!isOptional}
      defaultValue={value}
      placeholder={placeholder}
      autocomplete="off"
      aria-describedby={`${name}-says`}
      onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
    />
    <small id={`${name}-says`}>{says}</small>
  </div>
)

/** Its id. Rejects with `Refused`, whose sentence names the field. */
const send = async (line: object, signal: AbortSignal): Promise<string> => {
  const response = await answered(`/api/v1/topics/${topic}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': uniqueKey() },
    body: JSON.stringify(line),
    signal,
  })
  const { accepted } = (await response.json()) as { readonly accepted: readonly { readonly id: string }[] }
  return accepted[0]?.id ?? ''
}

const patienceMillis = 10_000
const askMillis = 500

/** What a message led to, as soon as it was handled. */
const becameOf = async (message: string, signal: AbortSignal): Promise<Pick<Progress, 'is' | 'refused'>> => {
  for (const until = performance.now() + patienceMillis; performance.now() < until; ) {
    const { data } = await get('/api/v1/messages/{id}/outcome', { path: { id: message } }, signal)
    const not = data.outcomes.find(({ kind }) => kind !== 'effect')
    if (not && 'because' in not) return { is: 'taken', refused: not.because }
    if (data.outcomes.length > 0) return { is: 'taken' }
    await pause(askMillis, signal)
  }
  return { is: 'not known yet' }
}
