import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'

interface StateChoiceProps<State extends string> {
  readonly states: readonly State[]
  /** Undefined: any. */
  readonly state: State | undefined
  readonly words?: Readonly<Record<State, string>>
}

/** Which state a list is of; it stands in the address. */
export const StateChoice = <State extends string>({ states, state, words }: StateChoiceProps<State>) => {
  const address = useAddress()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    go(changed(address, { state: String(asked.get('state')) }))
  }
  return (
    <form class="row" onSubmit={submit} key={state}>
      <label>
        State
        <select name="state">
          <option value="">any</option>
          {states.map((one) => (
            <option key={one} value={one} selected={one === state}>
              {words?.[one] ?? one}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  )
}
