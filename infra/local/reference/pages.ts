import type { System } from '../../../src/app/system.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { settingsPage } from './settings-page.ts'
import { topicsPage } from './topics-page.ts'

/** Pages of docs/reference that are made from the declarations, by name. */
export const referencePages = (system: System): Readonly<Record<string, string>> => ({
  'settings.md': settingsPage(),
  'topics.md': topicsPage(system.workflows),
  'events.md': eventsPage(system.workflows),
  'errors.md': errorsPage(system),
})
