import { useId } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { useSession } from '../../shell/session.tsx'

const key = 'fonds-mail'

/** The mail address of whoever sits here: of who signed in, or as it was said in this browser. */
export const useMyMail = (): string | undefined =>
  useSession().person?.mail ?? localStorage.getItem(key) ?? undefined

export const rememberMyMail = (mail: string): void => localStorage.setItem(key, mail)

/** To whom something is given; those who have something are offered. */
export const AssigneeField = () => {
  const { answered } = useAnswer('/api/v1/fixity/findings', { query: { limit: 1 } })
  const mine = useMyMail()
  const list = useId()
  const others = (answered?.data.assignees ?? []).flatMap(({ assignee }) => assignee ?? [])
  return (
    <>
      <label>
        To whom: a mail address, or “nobody”
        <input name="to" required list={list} autocomplete="off" placeholder="ada@archive.example" />
      </label>
      <datalist id={list}>
        {[...new Set([...(mine === undefined ? [] : [mine]), ...others, 'nobody'])].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}
