import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidNote, type Policy, parsePolicy } from '@fonds/tlog'
import { isSystemError } from '@fonds/toolbox'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Mirrored, mirrorLog } from '../../app/proof/mirror.ts'
import { BrokenTree } from '../../app/proof/open-tree.ts'
import type { Mirror } from '../../app/system.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Session } from '../context.ts'
import { away, type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, visible } from '../output/text.ts'

interface MirrorOptions {
  readonly policy: string
  readonly follow?: boolean
}

export const run = async (
  session: Session,
  address: string,
  folder: string,
  { policy: file, follow = false }: MirrorOptions,
): Promise<CliFailure | undefined> => {
  const policy = await policyIn(file)
  if (isLeft(policy)) return policy.left
  const { openMirror, clock } = await session.system()
  const mirror = await openMirror(address, folder)
  for (;;) {
    const found = await once(session, mirror, policy.right)
    const failure = isLeft(found) ? found.left : await show(session, folder, found.right)
    // A log that is away comes again; one that speaks against itself needs a person.
    if (failure?.kind !== 'away' && (failure || !follow)) return failure
    if (failure && !follow) return failure
    if (failure) session.say(failure.message)
    await clock.sleep(MINUTE, session.signal)
    if (session.signal.aborted) return undefined
  }
}

const policyIn = async (file: string): Promise<Either<CliFailure, Policy>> => {
  try {
    return right(parsePolicy(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof InvalidNote) return left(usage(`${file} ${error.message}`))
    if (isSystemError(error)) return left(usage(error.message))
    throw error
  }
}

const once = async (
  session: Session,
  { files, get }: Mirror,
  policy: Policy,
): Promise<Either<CliFailure, Mirrored>> => {
  const progress = session.progress('Copying the tree')
  const onProgress = (leaves: number, of: number) => progress.part(leaves / of)
  try {
    return right(await mirrorLog(get, files, { policy, onProgress, signal: session.signal }))
  } catch (error) {
    if (error instanceof UnavailableError) return left(away(error.message))
    if (error instanceof BrokenTree)
      return left(
        refused(error.message, 'the copy was changed here: begin another in a new folder, and keep this one'),
      )
    if (error instanceof InvalidNote)
      return left(refused(`the checkpoint that the log shows ${error.message}`))
    throw error
  } finally {
    progress.done()
  }
}

const show = async (session: Session, folder: string, found: Mirrored): Promise<CliFailure | undefined> => {
  const { output } = session
  if (found.kind === 'held') {
    const { origin, size, from } = found
    await output.write(
      output.isTTY
        ? `${folder} holds the ${count(Number(size))} leaves that ${visible(origin)} signed, ${count(Number(size - from))} of them new.\n`
        : `${jsonText({ folder, origin, size, from })}\n`,
    )
    return undefined
  }
  const { reason, head } = found
  const file = join(folder, `refused-${Date.now()}`)
  if (head !== undefined) await writeFile(file, head)
  return refused(
    `the log is not to be believed: ${visible(reason)}`,
    head === undefined ? undefined : `keep ${folder}/checkpoint and ${file}: the log signed both`,
  )
}
