import { useId, useState } from 'preact/hooks'
import { keyIn } from './can-check.ts'

const name = 'fonds-proof-key'

/** The key that a person was given another way, kept in this browser. */
export const trustedKey = (): string | undefined => keyIn(localStorage.getItem(name) ?? '')

interface TrustedKeyProps {
  readonly trusted: string | undefined
  readonly onChange: (key: string | undefined) => void
}

/** A field for a key that did not come from this server. */
export const TrustedKey = ({ trusted, onChange }: TrustedKeyProps) => {
  const field = useId()
  const [isWrong, setWrong] = useState(false)
  const use = (text: string) => {
    const key = keyIn(text)
    setWrong(key === undefined)
    if (key === undefined) return
    localStorage.setItem(name, key)
    onChange(key)
  }
  const forget = () => {
    localStorage.removeItem(name)
    onChange(undefined)
  }
  return (
    <section class="panel" aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>Key that is believed</h2>
      {trusted === undefined ? (
        <p>
          The one that this server gives. A key that came another way proves more: paste a line of{' '}
          <code>fonds proof key</code>, or the archive’s policy.
        </p>
      ) : (
        <p>
          The one that you gave: <code class="key">{trusted}</code>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          use(String(new FormData(event.currentTarget).get('key')))
        }}
      >
        <label for={field}>
          Key or policy
          <textarea id={field} name="key" rows={3} required spellcheck={false} />
        </label>
        {isWrong && (
          <p class="trouble" role="status">
            This is no key by Ed25519: it is a name, eight digits and base64, with a plus between them.
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="small">
            Believe this key
          </button>
          {trusted !== undefined && (
            <button type="button" class="small" onClick={forget}>
              Believe the server’s
            </button>
          )}
        </div>
      </form>
    </section>
  )
}
