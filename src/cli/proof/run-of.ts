import { openForPerson } from '../../app/config/file-modes.ts'
import { proveOwnEvent } from '../../app/proof/own-tree.ts'
import { type EventProof, proofFileName, proveEvent } from '../../app/proof/prove-event.ts'
import { thingOf } from '../../app/proof/thing/thing-of.ts'
import type { System } from '../../app/system.ts'
import { leafName } from '../../domain/kernel/proof/event-leaf.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { writeThings } from './export-of-things.ts'
import { type OwnTree, onOwnTree } from './own-tree.ts'

interface OfOptions {
  readonly all?: boolean
  readonly newest?: boolean
  /** With all entries behind the last event. */
  readonly whole?: boolean
  readonly output?: string
}

export const run = async (
  session: Session,
  event: string,
  revision: bigint | undefined,
  { all = false, newest = false, whole: isWhole = false, output: given }: OfOptions,
): Promise<CliFailure | undefined> => {
  if (all && revision !== undefined)
    return usage('--all is of a thing, not of a revision', '`fonds proof of <thing> --all`')
  if (isWhole && !all) return usage('--whole without --all', '`fonds proof of <thing> --all --whole`')
  const system = await session.system()
  return onOwnTree(system, async (tree) => {
    if (all) {
      const to = given ?? `${/^[\w-]{1,100}$/.test(event) ? event : 'thing'}-proof`
      return writeThings(session, system, tree, to, { ids: [event], isNewest: newest, isWhole })
    }
    const proven =
      revision === undefined
        ? ((await proveOwnEvent(tree, { id: event })) ?? (await newestOfThing(system, tree, event)))
        : await proveOwnEvent(tree, { stream: event, revision })
    if (!proven)
      return refused(
        revision === undefined
          ? `no sealed event has the id ${event}, nor is it of a thing of that name`
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
      stream: leafName(leaf.stream),
      revision: leaf.revision,
      type: leaf.type,
    }
    await output.write(output.isTTY ? `${visible(sentence(proven, file))}\n` : `${jsonText(row)}\n`)
    return undefined
  })
}

const sentence = ({ origin, index, size, leaf }: EventProof, file: string): string =>
  `${file} proves that revision ${leaf.revision} of ${leafName(leaf.stream)} is leaf ${index} of the ${size} that ${origin} signed.`

/** By the head that witnesses cosigned, where that has it. */
const newestOfThing = async (system: System, tree: OwnTree, id: string): Promise<EventProof | undefined> => {
  const thing = await thingOf(system, id)
  if (!thing) return undefined
  const wanted = { streams: thing.streams }
  const newest = await proveEvent(tree.files, tree.head.text, tree.verifiers, wanted)
  const witnessed = await proveOwnEvent(tree, wanted)
  return witnessed?.index === newest?.index ? witnessed : newest
}
