import { useAnswer } from '../../api/use-answer.ts'
import { maxLooked, NextOne } from '../../parts/next-one.tsx'
import { letterAt } from './addresses.ts'

interface NextLetterProps {
  readonly id: string
  readonly reason: string
  readonly topic: string
}

/** The message that waits for the same reason, behind this one. */
export const NextLetter = ({ id, reason, topic }: NextLetterProps) => {
  const where = ['status=waiting', `reason=${reason}`, `topic=${topic}`]
  const { answered } = useAnswer('/api/v1/views/dead-letters', {
    query: { where, order: ['at'], limit: maxLooked, total: true },
  })
  return (
    <NextOne
      noun="message of this reason"
      none="No message of this reason waits any more."
      here={id}
      rows={answered?.data.rows.map((one) => ({
        key: one.id,
        to: letterAt(one.id),
        says: `${one.topic}, ${one.partition}:${one.offset}`,
      }))}
      total={answered?.data.total ?? 0}
    />
  )
}
