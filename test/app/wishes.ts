import type { RecordedEvent } from '#src/domain/kernel/event.ts'

/** The items that a check was asked for of, by `store/path`, as often as it was. */
export const wishesIn = (
  events: readonly Pick<RecordedEvent, 'type' | 'stream' | 'data'>[],
): readonly string[] =>
  events.flatMap(({ type, stream, data }) => {
    if (type === 'CheckRequested') return [stream.slice('fixity-'.length)]
    if (type !== 'ChecksRequested') return []
    const { store, paths } = data as { readonly store: string; readonly paths: readonly string[] }
    return paths.map((path) => `${store}/${path}`)
  })
