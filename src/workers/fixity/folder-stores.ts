import type { Logger } from 'pino'
import { stores } from '../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'

interface FolderStoresContext {
  readonly viewStore: ViewStore
  readonly log: Logger
  readonly openContent: (root: string) => ContentStore
}

interface OpenStore {
  readonly root: string
  readonly content: ContentStore
}

/** The folder stores that this machine can open. Other machines' workers check the others. */
export const createFolderStores = ({ viewStore, openContent, log }: FolderStoresContext) => {
  const opened = new Map<string, OpenStore>()
  const warned = new Set<string>()

  const open = (name: string, root: string): OpenStore | undefined => {
    const known = opened.get(name)
    if (known?.root === root) return known
    try {
      const store = { root, content: openContent(root) }
      opened.set(name, store)
      warned.delete(name)
      return store
    } catch (error) {
      if (!warned.has(name)) log.warn({ store: name, root }, (error as Error).message)
      warned.add(name)
      return undefined
    }
  }

  return {
    /** Undefined where it was not readable when last asked. */
    opened: (name: string) => opened.get(name),
    readable: (): readonly string[] => {
      // Before the first fold no store is known.
      return rowsIfFolded(viewStore, stores, { where: [is('kind', 'folder')] })
        .filter(({ store, root }) => open(store, root ?? ''))
        .map(({ store }) => store)
    },
  }
}
