import { useEffect, useState } from 'preact/hooks'
import { type Answer, get, Refused } from '../../api/client.ts'
import { type Shown, useAnswer } from '../../api/use-answer.ts'

type Projections = Answer<'/api/v1/projections'>
export type Projection = Projections['projections'][number]

export const isUnderWay = ({ rebuild }: Projection): boolean => rebuild !== null && rebuild.endedAt === null

const everyMillis = 500

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
    const ask = async () => {
      try {
        setNewer(await get('/api/v1/projections', {}, leaving.signal))
        setAsking(false)
      } catch (error) {
        // That the server is not heard is told by the page.
        if (!leaving.signal.aborted && !(error instanceof Refused)) throw error
      }
    }
    const timer = setInterval(ask, everyMillis)
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [mustAsk])
  return { shown: { ...shown, answered }, again: () => setAsking(true) }
}
