import { useId } from 'preact/hooks'
import { type Answer as AnswerOf, post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { streamAt } from './event-list.tsx'
import { LogMenu } from './log-menu.tsx'
import { NextLetter } from './next-letter.tsx'

type Letter = AnswerOf<'/api/v1/dead-letters/{id}'>

/** A message that could not be used, whole; mended, it goes on its topic again. */
const DeadLetter = ({ values: { id = '' } }: PageProps) => (
  <>
    <h1>Dead letter</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/dead-letters/{id}', { path: { id } })}>
      {(letter) => <Told letter={letter} />}
    </Answer>
  </>
)

const Told = ({ letter }: { readonly letter: Letter }) => {
  const {
    id,
    status,
    reason,
    message,
    path,
    topic,
    partition,
    offset,
    key,
    headers,
    value,
    encoding,
    at,
    processor,
  } = letter
  return (
    <>
      <p>
        <strong>
          <Name text={message} isWhole />
        </strong>
      </p>
      <dl class="facts">
        <dt>State</dt>
        <dd>{status === 'waiting' ? 'waits for a person' : status}</dd>
        <dt>Reason</dt>
        <dd>
          {reason}
          {path !== null && (
            <>
              , in the field <Name text={path} isWhole />
            </>
          )}
        </dd>
        <dt>Place</dt>
        <dd>
          {topic}, partition {partition}, offset {offset}
        </dd>
        <dt>Came</dt>
        <dd>
          <Time at={at} />, read by {processor}
        </dd>
        <dt>Key</dt>
        <dd>{key === null ? 'none' : <Name text={key} isWhole />}</dd>
        <dt>Its events</dt>
        <dd>
          <Name text={`deadletter-${id}`} to={streamAt(`deadletter-${id}`)} />
        </dd>
      </dl>
      <h2>Headers</h2>
      <Json value={headers} says="Headers" />
      <Settle letter={letter} key={`${id} ${status}`} />
      <NextLetter id={id} reason={reason} topic={topic} />
      {encoding !== 'text' && (
        <p class="why">
          {encoding === 'none'
            ? 'Its bytes could not be kept: look them up at its place.'
            : 'Its bytes are no text, or take less room so: they are in base64.'}
        </p>
      )}
      {encoding === 'base64' && <Json value={value} says="Bytes in base64" />}
    </>
  )
}

const Settle = ({ letter: { id, status, value, encoding } }: { readonly letter: Letter }) => {
  const field = useId()
  const settled = status === 'waiting' ? undefined : `It was ${status} already.`
  const cannotRetry = settled ?? (encoding === 'none' ? 'Its bytes could not be kept.' : undefined)
  const original = encoding === 'text' ? value : ''
  const typed = (): string => (document.getElementById(field) as HTMLTextAreaElement).value
  return (
    <>
      <h2>
        <label for={field}>Value</label>
      </h2>
      <textarea
        id={field}
        rows={12}
        cols={80}
        defaultValue={original}
        spellcheck={false}
        disabled={cannotRetry !== undefined}
      />
      <div class="buttons">
        <Act
          verb="Retry with this value"
          says="Puts the message on its topic again with the value above, mended as you left it. What was changed is kept in the log."
          cannot={cannotRetry}
          act={({ key, ...by }) =>
            post('/api/v1/dead-letters/{id}/retry', {
              path: { id },
              body: { ...by, ...(typed() !== original && { edited: typed() }) },
              key,
            })
          }
        />
        <Act
          verb="Discard"
          says="Notes that it is not needed. It stays in the log."
          cannot={settled}
          act={({ key, ...body }) => post('/api/v1/dead-letters/{id}/discard', { path: { id }, body, key })}
        />
      </div>
    </>
  )
}

export default DeadLetter
