import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { createSameFiles } from '../infra/sqlite/same-files.ts'
import { areDamaged } from '../infra/views/sqlite/connection.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { embeddedFile, viewsOf } from './app/config/config.ts'
import type { Config } from './app/config/settings.ts'
import type { FoldStores } from './app/fold-thread/messages.ts'
import { HOUR } from './domain/kernel/time.ts'

/** The main thread says when the log has grown. */
const pollMillis = HOUR

/** The embedded log and the views on connections of their own, for the thread that folds. Throws `DatabaseError` and `UnavailableError`. */
const openFolding = async (config: Config): Promise<FoldStores> => {
  const file = config.eventStore.startsWith('sqlite:') ? embeddedFile(config) : undefined
  if (file === undefined) throw new Error('the log is on a server: views are folded in the main thread')
  const db = openDatabase(file, { durability: config.durability, pollMillis })
  const eventStore = openSqliteEventStore(db)
  const views = viewsOf(config)
  // Damage is mended by the main thread, which asks questions of the same file.
  const viewStore = openViewStore(views.file, { keepsHistory: views.keepsHistory })
  const isMoved = createSameFiles(views.file)
  isMoved()
  return {
    eventStore,
    viewStore,
    changed: db.changed,
    isLost: (error) => areDamaged(error) || isMoved() !== undefined,
    close: async () => {
      viewStore.close()
      await eventStore.close()
    },
  }
}

export default openFolding
