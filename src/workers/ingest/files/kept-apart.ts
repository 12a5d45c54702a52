import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted } from './file-name.ts'

/**
 * Some file systems take two names for one (`A` and `a`; an accent within a letter, or behind it): there the second file
 * has taken the place of the first.
 */
export const failUnlessApart = async (folder: string, paths: readonly string[]): Promise<void> => {
  const alike = Map.groupBy(paths, (path) => path.normalize('NFKC').toLowerCase())
  for (const group of alike.values()) {
    const [first, ...others] = group
    for (const other of others)
      if (await isOneFile(join(folder, first!), join(folder, other)))
        throw new Error(
          `${quoted(first!)} and ${quoted(other)} are one name in ${folder}; rename one, or have the work folder on a file system that keeps them apart`,
        )
  }
}

const isOneFile = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([stat(one, { bigint: true }), stat(other, { bigint: true })])
  return first.ino === second.ino && first.dev === second.dev
}
