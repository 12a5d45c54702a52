import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { defaultLayout, objectFolders } from '@fonds/ocfl/layout'
import { expect, onTestFinished } from 'vitest'
import type { Found } from '../discovery.ts'
import { server } from '../servers.ts'

/* The programs, not ours, that judge a storage root. */

const rocfl = server('rocfl')
const ocflPy = server('ocfl-py')

export const isAbsent = 'absent' in rocfl || 'absent' in ocflPy
export const ocflPyIsAbsent = 'absent' in ocflPy

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

/** What ocfl-py lists. It stops at an extension that it does not know, so no writer may be at work. */
export const listRoot = (root: string) =>
  judge(join(dirname(programOf(ocflPy)), 'ocfl-root.py'), ['list', '--root', root])

interface Verdict {
  readonly valid: boolean
  readonly objects: number
  /** What is wrong. */
  readonly says: readonly string[]
}

/** By both judges, of whole roots: every object with its digests, and what stands between them. Gives the number of objects. */
export const useRootJudges = () => {
  const judgeByPython = useOcflPy()
  return async (root: string, when: string): Promise<number> => {
    // It judges while rocfl does.
    const verdict = judgeByPython(root, when)
    expect(judgeRoot(root), when).toEqual(isValid)
    return verdict
  }
}

/** By ocfl-py alone: roots in folders, and in buckets that its variables lead to. Gives the number of objects. */
export const useOcflPy = (env: NodeJS.ProcessEnv = {}) => {
  const python = join(dirname(programOf(ocflPy)), 'python')
  const child = spawn(python, [join(import.meta.dirname, 'judge_ocfl.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill())
  const verdicts = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (root: string, when: string): Promise<number> => {
    child.stdin.write(`${root}\n`)
    const { value, done } = await verdicts.next()
    if (done) throw new Error(`ocfl-py ended ${when}`)
    const { valid, objects, says }: Verdict = JSON.parse(value)
    expect({ valid, says }, when).toEqual({ valid: true, says: [] })
    return objects
  }
}
