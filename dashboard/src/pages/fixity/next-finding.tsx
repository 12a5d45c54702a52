import { useRef } from 'preact/hooks'
import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Path } from '../../parts/path.tsx'
import { count } from '../../parts/words.ts'
import { itemAt } from './addresses.ts'

interface NextFindingProps {
  readonly store: string
  readonly path: string
}

/** So many of the oldest are looked at. */
const most = 200

/** The open finding behind this one: behind its place also once this one is settled. */
export const NextFinding = ({ store, path }: NextFindingProps) => {
  const { answered } = useAnswer('/api/v1/fixity/findings', { query: { limit: most } })
  const place = useRef(-1)
  if (!answered) return null
  const { findings, ages } = answered.data
  const at = findings.findIndex((one) => one.store === store && one.path === path)
  if (at !== -1) place.current = at
  const others = findings.filter((one) => one.store !== store || one.path !== path)
  const next = others[Math.max(place.current, 0)] ?? others[0]
  const total = ages.reduce((sum, one) => sum + one.count, 0)
  if (!next) return total === 0 ? <p class="why">No finding is open any more.</p> : null
  return (
    <p class="next">
      <Link to={itemAt(next.store, next.path)} class="button" dataKey="n">
        Next finding <kbd>n</kbd>
      </Link>{' '}
      <Path text={`${next.store}/${next.path}`} /> <span class="why">{count(total)} open</span>
    </p>
  )
}
