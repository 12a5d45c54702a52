import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' })

/** A work tree of Fonds, whose sources run as they are. */
export interface Checkout {
  readonly name: string
  readonly root: string
}

export const ours: Checkout = { name: 'this', root: repository }

export interface InstalledCheckout extends Checkout {
  /** Bytes that `npm ci` laid down. */
  readonly installedBytes: number
  remove(): void
}

/** A commit's work tree in a folder of its own, with the dependencies that its lock file names. */
export const installCheckout = (commit: string, folder: string): InstalledCheckout => {
  const root = join(folder, `checkout-of-${commit}`)
  git('worktree', 'add', '--quiet', '--detach', root, commit)
  const remove = () => {
    git('worktree', 'remove', '--force', root)
  }
  try {
    const command = ['ci', '--prefer-offline', '--no-audit', '--no-fund']
    execFileSync('npm', command, { cwd: root, stdio: 'pipe', env: withoutNpm(process.env) })
  } catch (error) {
    remove()
    throw error
  }
  return { name: commit, root, installedBytes: bytesIn(join(root, 'node_modules')), remove }
}

/** `npm run` hands the settings of this checkout on, such as what is left out: another one has its own. */
const withoutNpm = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toLowerCase().startsWith('npm_')))

/** Bytes on the disk; a file with several names counts once, as `du` counts it. */
const bytesIn = (folder: string, seen = new Set<number>()): number => {
  let bytes = 0
  for (const one of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, one.name)
    if (one.isDirectory()) bytes += bytesIn(path, seen)
    if (!one.isFile()) continue
    const { ino, blocks } = statSync(path)
    if (!seen.has(ino)) bytes += blocks * 512
    seen.add(ino)
  }
  return bytes
}
