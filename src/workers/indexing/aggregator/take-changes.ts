import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { CaptureIndex, IndexChange } from '../../../ports/capture-index.ts'
import type { ChangeFiles } from './change-files.ts'
import type { RefusedFiles } from './refused-files.ts'

/** Files of changes per change of the index, which writes its whole manifest each time. */
const mostAtOnce = 1000

/**
 * Applies waiting changes to the index, in the order of the log, and deletes their files afterwards: after a crash in
 * between they are applied again, without effect (W18, W33). A damaged file affects no other (W35). Returns the number
 * of files taken.
 *
 * `goesOn` is called after each change of the index; if it returns false, the rest waits for the next call.
 */
export const takeChanges = async (
  files: ChangeFiles,
  refused: RefusedFiles,
  index: () => CaptureIndex,
  log: Pick<Logger, 'error'>,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<number> => {
  const names = await files.list()
  let taken = 0
  while (taken < names.length) {
    const some = names.slice(taken, taken + mostAtOnce)
    await takeSome(files, refused, some, index, log)
    taken += some.length
    if (!(await goesOn())) break
  }
  return taken
}

const takeSome = async (
  files: ChangeFiles,
  refused: RefusedFiles,
  names: readonly string[],
  index: () => CaptureIndex,
  log: Pick<Logger, 'error'>,
): Promise<void> => {
  const taken: string[] = []
  const changes: IndexChange[] = []
  for (const name of names) {
    const read = await files.read(name)
    if (E.isRight(read)) {
      taken.push(name)
      for (const change of read.right) changes.push(change)
      continue
    }
    const kept = await files.putAside(name)
    log.error(
      { kept, line: read.left.line },
      'a file of changes is damaged; putting it aside, continuing with the rest',
    )
  }
  if (changes.length > 0)
    for (const { change, reason } of await index().change(changes)) {
      const { position } = change
      if (change.kind === 'publish') {
        const { file, run } = change
        await refused.add({ file, digest: run.sha256, reason }, position)
        log.error({ file, reason }, 'the index refused the lines of a file; the file is indexed again')
      } else
        log.error({ position: String(position), reason }, 'the index refused posted lines; post them again')
    }
  for (const name of taken) await files.remove(name)
}
