import { useId } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { useSession } from '../../shell/session.tsx'

const key = 'fonds-person'

/** The reference of whoever sits here: of who signed in, or as it was said in this browser. */
export const useMe = (): string | undefined =>
  useSession().person?.reference ?? localStorage.getItem(key) ?? undefined

export const rememberMe = (reference: string): void => localStorage.setItem(key, reference)

/** To whom something is given; those who have something are offered. */
export const AssigneeField = () => {
  const { answered } = useAnswer('/api/v1/fixity/findings', { query: { limit: 1 } })
  const me = useMe()
  const list = useId()
  const known = (answered?.data.assignees ?? []).flatMap(({ assignee, name }) =>
    assignee === null ? [] : [{ value: assignee, label: name ?? assignee }],
  )
  const mine = me === undefined || known.some(({ value }) => value === me) ? [] : [{ value: me, label: 'me' }]
  return (
    <>
      <label>
        To whom: a mail address, or “nobody”
        <input name="to" required list={list} autocomplete="off" placeholder="ada@archive.example" />
      </label>
      <datalist id={list}>
        {[...mine, ...known, { value: 'nobody', label: 'nobody' }].map(({ value, label }) => (
          <option key={value} value={value} label={label} />
        ))}
      </datalist>
    </>
  )
}
