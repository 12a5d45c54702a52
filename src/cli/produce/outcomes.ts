import { causeOf, type Message } from '../../domain/kernel/message.ts'
import type { Row } from '../../domain/kernel/view.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { RecordPlace } from '../../ports/broker.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { fingerprints } from '../../processors/runtime/fingerprints.ts'

/** Remembers the messages that were sent, in some 50 bytes each, to report their outcomes once they are handled. */
export interface Sent {
  add(message: Pick<Message, 'id' | 'source'>, place: RecordPlace): void
  /** Asks the views, which must show all that the messages led to. `most`: failures to list. */
  outcomes(viewStore: ViewStore, topic: string, most: number): Outcomes
}

/** A message that its topic accepted, and that was rejected on at least one stream or became a dead letter. */
interface Failed {
  readonly message: string
  /** The rejection's code, or why the message could not be used. */
  readonly reason: string
  readonly because: string
}

export interface Outcomes {
  readonly rejected: number
  readonly deadLettered: number
  /** The first ones. `message` of a dead letter is the dead letter's id. */
  readonly failures: readonly Failed[]
}

export const rememberSent = (): Sent => {
  const causes = fingerprints()
  const places = fingerprints()
  return {
    add: (message, place) => {
      causes.add(causeOf(message))
      places.add(placeName(place))
    },
    outcomes: (viewStore, topic, most) => {
      const failures: Failed[] = []
      const note = (failed: Failed) => {
        if (failures.length < most) failures.push(failed)
      }
      let rejected = 0
      let last = ''
      for (const { message, source, code, because } of rowsOf(viewStore, 'rejections', topic)) {
        const cause = causeOf({ id: message as string, source: source as string })
        // A message may be rejected on many streams; its rows stand together.
        if (cause === last || !causes.has(cause)) continue
        last = cause
        rejected++
        note({ message: message as string, reason: code as string, because: because as string })
      }
      let deadLettered = 0
      for (const row of rowsOf(viewStore, 'dead-letters', topic)) {
        const { id, partition, offset, reason, message } = row
        if (!places.has(placeName({ topic, partition: partition as number, offset: offset as string })))
          continue
        deadLettered++
        note({ message: id as string, reason: reason as string, because: message as string })
      }
      return { rejected, deadLettered, failures }
    },
  }
}

const placeName = ({
  topic,
  partition,
  offset,
}: {
  topic: string
  partition: number
  offset: bigint | string
}) => `${topic}/${partition}/${offset}`

function* rowsOf(viewStore: ViewStore, view: string, topic: string): Generator<Row> {
  const shape = viewStore.shape(view)
  if (!shape) return
  for (const page of pagesOf(viewStore, shape, { where: [{ column: 'topic', is: '=', value: topic }] }))
    yield* page
}
