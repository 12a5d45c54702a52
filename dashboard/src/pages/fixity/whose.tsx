import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Answer } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { count } from '../../parts/words.ts'
import { rememberMe, useMe } from './assignee.tsx'

interface WhoseProps {
  readonly of: Answer<'/api/v1/fixity/findings'>['assignees']
  /** Whose are shown; undefined: everybody's. */
  readonly shown: string | undefined
}

/** Findings by the person to whom they are given. */
export const Whose = ({ of, shown }: WhoseProps) => {
  const address = useAddress()
  const mine = useMe()
  const given = of.filter(({ assignee }) => assignee !== null)
  if (given.length === 0 && shown === undefined) return null
  const all = of.reduce((sum, one) => sum + one.count, 0)
  const to = (whose: string | undefined) => changed(address, { whose })
  const entries = [
    { whose: undefined, words: 'everybody’s', n: all },
    ...of.map(({ assignee, name, count: n }) => ({
      whose: assignee ?? 'nobody',
      words: assignee === null ? 'nobody’s' : assignee === mine ? 'mine' : (name ?? assignee),
      n,
    })),
  ]
  return (
    <nav class="buttons" aria-label="Whose findings">
      {entries.map(({ whose, words, n }) => (
        <Link key={whose ?? ''} to={to(whose)} current={whose === shown}>
          <Name text={words} /> <small>{count(n)}</small>
        </Link>
      ))}
      {shown !== undefined && shown !== 'nobody' && shown !== mine && (
        <button
          type="button"
          class="small bare"
          onClick={() => {
            rememberMe(shown)
            location.reload()
          }}
        >
          That is me
        </button>
      )}
    </nav>
  )
}
