import { useRef } from 'preact/hooks'
import { Link } from '../address/use-address.tsx'
import { Path } from './path.tsx'
import { count } from './words.ts'

export interface NextRow {
  readonly key: string
  readonly to: string
  readonly says: string
}

interface NextOneProps {
  /** The first of the list; undefined while they are asked for. */
  readonly rows: readonly NextRow[] | undefined
  readonly total: number
  /** The key of what is shown. */
  readonly here: string
  /** As in `finding`. */
  readonly noun: string
  /** That none is left, in a sentence. */
  readonly none: string
  /** Only beside one that is, or was, in the list. */
  readonly isOfList?: boolean
}

/** So many of a list are looked at. */
export const maxLooked = 200

/** The one behind this one in its list: behind its place also once this one is settled. */
export const NextOne = ({ rows, total, here, noun, none, isOfList = false }: NextOneProps) => {
  const place = useRef(-1)
  if (!rows) return null
  const at = rows.findIndex(({ key }) => key === here)
  if (at !== -1) place.current = at
  if (isOfList && place.current === -1) return null
  const others = rows.filter(({ key }) => key !== here)
  const next = others[Math.max(place.current, 0)] ?? others[0]
  if (!next) return total === 0 ? <p class="why">{none}</p> : null
  return (
    <p class="next">
      <Link to={next.to} class="button" dataKey="n">
        Next {noun} <kbd>n</kbd>
      </Link>{' '}
      <Path text={next.says} /> <span class="why">{count(total)} in all</span>
    </p>
  )
}
