import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventStore, ReadFailure } from '../ports/event-store.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Elsewhere, WorkflowModel } from '../workflows/workflow-model.ts'

/** As far as the views know. */
export const elsewhereOf = (
  { workflows, viewStore }: { readonly workflows: readonly WorkflowModel[]; readonly viewStore: ViewStore },
  id: string,
): readonly Elsewhere[] => workflows.flatMap((workflow) => workflow.elsewhere?.(id, viewStore) ?? [])

/** From before a position on, the newest first. */
export const readElsewhereBefore = async (
  eventStore: Pick<EventStore, 'readAll'>,
  places: readonly Elsewhere[],
  before: bigint | 'end',
  limit: number,
): Promise<Either<ReadFailure, readonly RecordedEvent[]>> =>
  readAt(
    eventStore,
    places.flatMap((place) => place.positionsBefore(before, limit).map((position) => ({ place, position }))),
  )

/** From a position on. */
export const readElsewhere = async (
  eventStore: Pick<EventStore, 'readAll'>,
  places: readonly Elsewhere[],
  from: bigint,
  limit: number,
): Promise<Either<ReadFailure, readonly RecordedEvent[]>> =>
  readAt(
    eventStore,
    places.flatMap((place) => place.positions(from, limit).map((position) => ({ place, position }))),
  )

const readAt = async (
  eventStore: Pick<EventStore, 'readAll'>,
  places: readonly { readonly place: Elsewhere; readonly position: bigint }[],
): Promise<Either<ReadFailure, readonly RecordedEvent[]>> => {
  const events: RecordedEvent[] = []
  for (const { place, position } of places) {
    const read = await eventStore.readAll(position - 1n, {}, 1)()
    if (isLeft(read)) return read
    const part = read.right.events[0] && place.partOf(read.right.events[0])
    if (part) events.push(part)
  }
  return right(events)
}
