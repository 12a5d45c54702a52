import type { NewEvent } from '../../src/domain/kernel/event.ts'

/** Why no log takes these events, as EventStoreDB takes none; undefined where it does. */
export const invalidReason = (
  stream: string,
  events: readonly Pick<NewEvent, 'id' | 'type'>[],
): string | undefined => {
  if (stream === '') return 'the name of the stream is empty'
  const nameless = events.find(({ type }) => type === '')
  return nameless && `event ${nameless.id} of ${stream} has no type`
}
