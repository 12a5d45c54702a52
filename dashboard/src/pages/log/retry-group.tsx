import { useRef, useState } from 'preact/hooks'
import { get, post, Refused } from '../../api/client.ts'
import { Act, type By } from '../../parts/act.tsx'
import type { Told } from '../../parts/outcome.tsx'
import { count, plural } from '../../parts/words.ts'

interface Group {
  readonly reason: string
  readonly topic: string
}

interface Progress {
  readonly done: number
  readonly total: number
  /** Settled by somebody else meanwhile, or not taken. */
  readonly refused: number
}

/** Letters that are retried for one wish. */
const maxLetters = 1000

/** Puts the messages of a group on their topic again, one after the other, with its progress. Those that come meanwhile wait. */
export const RetryGroup = ({ reason, topic }: Group) => {
  const [progress, setProgress] = useState<Progress>()
  const isLeaving = useRef(false)
  const act = async ({ key, ...by }: By): Promise<Told> => {
    const where = ['status=waiting', `reason=${reason}`, `topic=${topic}`]
    const { data } = await get('/api/v1/views/dead-letters', {
      query: { where, order: ['at'], limit: maxLetters },
    })
    let told: Told | undefined
    let refusal: unknown
    let refused = 0
    for (const [i, { id }] of data.rows.entries()) {
      if (isLeaving.current) break
      try {
        // Each has a key of its own: the wish given again goes on where it was left.
        told = await post('/api/v1/dead-letters/{id}/retry', { path: { id }, body: by, key: `${key}-${id}` })
      } catch (error) {
        if (!(error instanceof Refused) || error.problem.status !== 409) throw error
        refusal = error
        refused++
      }
      setProgress({ done: i + 1, total: data.rows.length, refused })
    }
    if (told) return told
    throw refusal ?? new Refused(noneWaits)
  }
  return (
    <>
      <div class="buttons">
        <Act
          verb="Retry all of them"
          says={`Puts the messages on ${topic} again as they came, the oldest first, at most ${count(maxLetters)} of them. Each is an event with your name and reason.`}
          act={act}
        />
      </div>
      {progress && (
        <p role="status">
          <label>
            {count(progress.done)} of {plural(progress.total, 'message')} retried
            {progress.refused > 0 && `, ${count(progress.refused)} of them not: they were settled meanwhile`}{' '}
            <progress max={progress.total} value={progress.done} />
          </label>{' '}
          {progress.done < progress.total && (
            <button
              type="button"
              onClick={() => {
                isLeaving.current = true
              }}
            >
              Stop
            </button>
          )}
        </p>
      )}
    </>
  )
}

const noneWaits = {
  type: 'urn:fonds:problem:none-waits',
  title: 'Nothing to do',
  status: 409,
  code: 'none-waits',
  detail: 'none of them waits any more',
}
