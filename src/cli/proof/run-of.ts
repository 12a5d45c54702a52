import { openForPerson } from '../../app/config/file-modes.ts'
import { nameOf } from '../../app/proof/check/differences.ts'
import { proveOwnEvent } from '../../app/proof/own-tree.ts'
import { type EventProof, proofFileName } from '../../app/proof/prove-event.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { onOwnTree } from './own-tree.ts'

interface OfOptions {
  readonly output?: string
}

export const run = async (
  session: Session,
  event: string,
  revision: bigint | undefined,
  { output: given }: OfOptions,
): Promise<CliFailure | undefined> =>
  onOwnTree(await session.system(), async (tree) => {
    const wanted = revision === undefined ? { id: event } : { stream: event, revision }
    const proven = await proveOwnEvent(tree, wanted)
    if (!proven)
      return refused(
        revision === undefined
          ? `no sealed event has the id ${event}`
          : `revision ${revision} of ${event} is not sealed`,
        '`fonds history <thing>` shows ids and streams of events; the newest are sealed within ten seconds while `fonds start` runs',
      )
    const file = given ?? proofFileName(proven)
    const whole = openForPerson(file)
    try {
      whole.write(proven.text)
      whole.done()
    } finally {
      whole.close()
    }
    const { output } = session
    const { origin, index, size, leaf } = proven
    const row = {
      file,
      origin,
      index,
      size,
      stream: nameOf(leaf.stream),
      revision: leaf.revision,
      type: leaf.type,
    }
    await output.write(output.isTTY ? `${visible(sentence(proven, file))}\n` : `${jsonText(row)}\n`)
    return undefined
  })

const sentence = ({ origin, index, size, leaf }: EventProof, file: string): string =>
  `${file} proves that revision ${leaf.revision} of ${nameOf(leaf.stream)} is leaf ${index} of the ${size} that ${origin} signed.`
