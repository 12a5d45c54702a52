import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routesOf } from '../../../src/api/create-api.ts'
import type { System } from '../../../src/app/system.ts'
import { decisionTable } from './decision-table.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { premisTable } from './premis-table.ts'
import { settingsPage } from './settings-page.ts'
import { topicsPage } from './topics-page.ts'

export const docs = join(import.meta.dirname, '../../../docs')

const begin = '<!-- made by npm run reference -->'
const end = '<!-- end -->'

/** Returns a page with its made part replaced. */
const withMade = (name: string, made: string): string => {
  const page = readFileSync(join(docs, name), 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/${name} has no ${begin} … ${end}`)
  return `${page.slice(0, from)}${begin}\n${made}\n${page.slice(to)}`
}

/** Pages of docs that are made from the declarations, whole or in part, by name. */
export const referencePages = async (system: System): Promise<Readonly<Record<string, string>>> => {
  const routes = await routesOf(system)
  return {
    'reference/settings.md': settingsPage(),
    'reference/topics.md': topicsPage(system.workflows),
    'reference/events.md': eventsPage(system.workflows),
    'reference/errors.md': errorsPage(routes),
    'reference/permissions.md': permissionsPage(routes),
    'fixity.md': withMade('fixity.md', decisionTable()),
    'premis.md': withMade('premis.md', await premisTable(system.workflows)),
  }
}
