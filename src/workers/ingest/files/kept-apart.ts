import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted } from './file-name.ts'

/**
 * Some file systems treat two names as one (`A` and `a`; a composed and a decomposed accent): there the second file has
 * overwritten the first.
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
