import { useEffect, useState } from 'preact/hooks'
import { type Answer, type Answered, get, Refused } from '../../api/client.ts'
import { released } from '../../api/hold.ts'
import { pause } from '../../api/pause.ts'
import { type Shown, useAnswer } from '../../api/use-answer.ts'

type Projections = Answer<'/api/v1/projections'>
export type Projection = Projections['projections'][number]

export const isUnderWay = ({ rebuild }: Projection): boolean => rebuild !== null && rebuild.endedAt === null

const everyMillis = 500

/** Asks until nobody waits any more. While a dialog is open what is shown stays: its button may be of what has ended since. */
const askAgain = async (
  leaving: AbortSignal,
  show: (newer: Answered<Projections>) => void,
): Promise<void> => {
  while (!leaving.aborted) {
    await pause(everyMillis, leaving)
    try {
      const newer = await get('/api/v1/projections', {}, leaving)
      await released()
      if (!leaving.aborted) show(newer)
    } catch (error) {
      // That the server is not heard is told by the page.
      if (!leaving.aborted && !(error instanceof Refused)) throw error
    }
  }
}

/** The projections; while one is folded anew they are asked for all the time, for that is in no event of the log. */
export const useProjections = (): {
  readonly shown: Shown<Projections>
  /** Something was begun or stopped. */
  readonly again: () => void
} => {
  const shown = useAnswer('/api/v1/projections')
  const [newer, setNewer] = useState<Shown<Projections>['answered']>()
  const [isAsking, setAsking] = useState(false)
  const answered = newer && (!shown.answered || newer.at >= shown.answered.at) ? newer : shown.answered
  const mustAsk = isAsking || (answered?.data.projections.some(isUnderWay) ?? false)
  useEffect(() => {
    if (!mustAsk) return
    const leaving = new AbortController()
    void askAgain(leaving.signal, (one) => {
      setNewer(one)
      setAsking(false)
    })
    return () => leaving.abort()
  }, [mustAsk])
  return { shown: { ...shown, answered }, again: () => setAsking(true) }
}
