import { useId, useRef } from 'preact/hooks'
import { lastReasons, rememberReason } from './who.ts'
import { rememberWho, Who } from './who-field.tsx'

interface WhoAndWhyProps {
  /** A reason that may be right. */
  readonly reason?: string
}

/** The fields that every act asks; reasons that were typed before are offered again. */
export const WhoAndWhy = ({ reason = '' }: WhoAndWhyProps) => {
  const reasons = useRef(lastReasons()).current
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const [last] = reasons
  const again = () => {
    if (field.current && last !== undefined) field.current.value = last
    field.current?.focus()
  }
  return (
    <>
      <Who name="actor" />
      <label>
        Why
        <input
          name="reason"
          required
          autocomplete="off"
          list={list}
          ref={field}
          {...(reason !== '' && { defaultValue: reason })}
        />
      </label>
      <datalist id={list}>
        {reasons.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {last !== undefined && (
        <button type="button" class="small again" onClick={again}>
          As last time: “{last}”
        </button>
      )}
    </>
  )
}

/** What was typed into them; remembered for the next time. */
export const whoAndWhyIn = (form: HTMLFormElement): { readonly actor: string; readonly reason: string } => {
  const asked = new FormData(form)
  const actor = String(asked.get('actor')).trim()
  const reason = String(asked.get('reason')).trim()
  rememberWho(form, 'actor')
  rememberReason(reason)
  return { actor, reason }
}
