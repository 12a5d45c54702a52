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
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: root, stdio: 'pipe' })
  } catch (error) {
    remove()
    throw error
  }
  return { name: commit, root, installedBytes: bytesIn(join(root, 'node_modules')), remove }
}

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
