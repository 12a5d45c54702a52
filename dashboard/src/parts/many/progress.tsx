import { Name } from '../name.tsx'
import { count } from '../words.ts'
import type { Done } from './do-each.ts'

const maxShown = 20

interface ProgressProps {
  readonly of: Done
  readonly total: number
  readonly isOver: boolean
}

export const endedOf = ({ done, left }: Done): number => done + left.length

/** How far an act for many rows is, and why it was not done to some. */
export const Progress = ({ of: progress, total, isOver }: ProgressProps) => {
  const { done, unchanged, left, isStopped, ended } = progress
  const toCome = total - endedOf(progress)
  const isWhole = isOver && toCome === 0 && left.length === 0
  return (
    <>
      <progress max={total} value={endedOf(progress)} aria-label="How far it is" />
      <p role="status">
        {isWhole ? <strong>Done.</strong> : null} {count(done)} of {count(total)} done
        {unchanged > 0 && ` (${count(unchanged)} of them so already)`}
        {left.length > 0 && `, ${count(left.length)} left as they are`}
        {isOver && toCome > 0 && `, ${count(toCome)} not begun${isStopped ? ': it was stopped' : ''}`}.
      </p>
      {ended !== undefined && <p class="trouble">It ended: {ended}</p>}
      {left.length > 0 && (
        <ul class="plain">
          {left.slice(0, maxShown).map(({ name, why }) => (
            <li key={name}>
              <Name text={name} />: <Name text={why} isWhole />
            </li>
          ))}
          {left.length > maxShown && <li class="why">and {count(left.length - maxShown)} more</li>}
        </ul>
      )}
      {isOver && endedOf(progress) + toCome > done && (
        <p class="why">Those to which nothing was done stay chosen, as they are now.</p>
      )}
    </>
  )
}
