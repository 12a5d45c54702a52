import { useSession } from '../shell/session.tsx'
import { Name } from './name.tsx'
import { actorNow, rememberActor } from './who.ts'

interface WhoProps {
  /** Of the field. */
  readonly name: string
  readonly maxLength?: number
}

/** Asks who somebody is. Whoever signed in is not asked: the reference is sent, and the name shown. */
export const Who = ({ name, maxLength }: WhoProps) => {
  const { person } = useSession()
  if (person)
    return (
      <p>
        <input type="hidden" name={name} value={person.reference} data-signed-in />
        You are <Name text={person.name ?? person.mail ?? person.reference} />.
      </p>
    )
  return (
    <label>
      Who you are
      <input
        name={name}
        required
        defaultValue={actorNow()}
        autocomplete="username"
        {...(maxLength !== undefined && { maxLength })}
      />
    </label>
  )
}

/** Remembers what was typed, and no reference. */
export const rememberWho = (form: HTMLFormElement, name: string): void => {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement && field.type !== 'hidden') rememberActor(field.value.trim())
}
