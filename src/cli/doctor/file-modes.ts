import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closedBits } from '../../app/config/file-modes.ts'
import type { Config } from '../../app/config/settings.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { plural } from '../output/text.ts'

/** The home and what is in it, two folders deep: databases, snapshots, media. */
const entriesOf = (folder: string, deep = 2): readonly string[] => [
  folder,
  ...list(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && deep > 0) return entriesOf(path, deep - 1)
    return entry.isFile() || entry.isDirectory() ? [path] : []
  }),
]

const list = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Files that more people may read than new ones: made by an older Fonds, or changed since. */
export const fileModes = ({ home, homeMode }: Config, databases: readonly string[]): Finding => {
  const wide = [...new Set([...entriesOf(home), ...databases])].filter((path) => isWide(path, homeMode))
  if (wide.length === 0) return ok('files', `${home} can be read and written, and by nobody else`)
  const others = homeMode === 'private' ? 'others on this machine' : 'others than its group'
  return warn(
    'files',
    `${plural(wide.length, 'file or folder', 'files and folders')} may be read or written by ${others}, such as ${wide[0]}`,
    `chmod -R ${homeMode === 'private' ? 'go=' : 'o='} ${home}${homeMode === 'private' ? '; or set FONDS_HOME_MODE=group where a group shares it' : ''}`,
  )
}

const isWide = (path: string, homeMode: Config['homeMode']): boolean => {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  return (mode & closedBits[homeMode]) !== 0
}
