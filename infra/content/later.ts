import type { ContentStore } from '../../src/ports/content-store.ts'

/** A store whose code is loaded with the first call: who has none of its kind does without. */
export const openLater = (
  load: () => Promise<ContentStore>,
  { readsAtOnce }: Pick<ContentStore, 'readsAtOnce'> = {},
): ContentStore => {
  let opened: Promise<ContentStore> | undefined
  const open = (): Promise<ContentStore> => {
    opened ??= load()
    return opened
  }
  return {
    ...(readsAtOnce !== undefined && { readsAtOnce }),
    list: (prefix) => listed(open, (store) => store.list(prefix)),
    folder: (path) => listed(open, (store) => store.folder(path)),
    names: (folder) => listed(open, (store) => store.names(folder)),
    stat: (path) => async () => (await open()).stat(path)(),
    read: (path, options, onChunk) => async () => (await open()).read(path, options, onChunk)(),
    write: (path, bytes) => async () => (await open()).write(path, bytes)(),
    delete: (path) => async () => (await open()).delete(path)(),
  }
}

async function* listed<A>(
  open: () => Promise<ContentStore>,
  list: (store: ContentStore) => AsyncIterable<A>,
): AsyncGenerator<A> {
  yield* list(await open())
}
