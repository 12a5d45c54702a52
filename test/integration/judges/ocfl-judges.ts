import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { defaultLayout, objectFolders } from '#infra/object-store/ocfl/layout.ts'
import type { Found } from '../discovery.ts'
import { server } from '../servers.ts'

/* The programs, not ours, that judge a storage root. */

const rocfl = server('rocfl')
const ocflPy = server('ocfl-py')

export const isAbsent = 'absent' in rocfl || 'absent' in ocflPy

const programOf = (found: Found): string => ('address' in found ? found.address : '')

const judge = (program: string, args: readonly string[]) => {
  const ran = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return { code: ran.status, says: `${ran.stdout}${ran.stderr}` }
}

/** By rocfl, of the whole root: every object, and what stands between them. */
export const judgeRoot = (root: string) => {
  const { code, says } = judge(programOf(rocfl), ['-r', root, 'validate'])
  const [, invalid, storage] = /Invalid objects: (\d+)\s+Storage issues:\s+(\d+)/.exec(says) ?? []
  return { code, invalid, storage, ...(code !== 0 && { says }) }
}
export const isValid = { code: 0, invalid: '0', storage: '0' }

/** By ocfl-py. */
export const judgeObject = (root: string, id: string) =>
  judge(programOf(ocflPy), [join(root, ...objectFolders(id, defaultLayout))])

/** By ocfl-py, of the whole root. */
export const judgeWhole = (root: string) =>
  judge(join(programOf(ocflPy), '../ocfl-root.py'), ['validate', '--root', root])
