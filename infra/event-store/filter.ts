import { categoryOf, type RecordedEvent } from '../../src/domain/kernel/event.ts'
import type { EventFilter } from '../../src/ports/event-store.ts'

export const createFilter = ({
  categories,
  types,
}: EventFilter): ((event: Pick<RecordedEvent, 'stream' | 'type'>) => boolean) => {
  const wantedCategories = categories && new Set(categories)
  const wantedTypes = types && new Set(types)
  return (event) =>
    (!wantedTypes || wantedTypes.has(event.type)) &&
    (!wantedCategories || wantedCategories.has(categoryOf(event.stream)))
}
