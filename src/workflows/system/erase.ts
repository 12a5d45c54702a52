import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { orThrow } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { category, personDecider, personEvents, personStream } from '../../domain/kernel/people.ts'
import { bareReference, fromBare, isPersonal } from '../../domain/kernel/personal.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import type { DoneBefore, SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** `person`: the value as it was given, or its reference. `mentions`: all values that hold the text, too. */
const ToErase = t.intersection([
  t.type({ person: Text }),
  t.partial({ mentions: t.boolean, confirmed: t.boolean }),
])
type ToErase = t.TypeOf<typeof ToErase>

interface ErasedNow {
  readonly references: readonly string[]
}

/** One event names them all. */
const maxReferences = 1000

/** Nothing is destroyed before the log has the event: where the log is away, the command is given again. */
export const erasePersonal: SystemCommand = {
  name: 'personal.erase',
  permission: 'administer',
  description:
    'Erases a personal value for good, such as an actor as it was typed; with mentions=true also values that hold the text, such as ' +
    'reasons that name the person. Readers see when it was; the references stay in the log, whose proofs still hold. Names and ' +
    'mail addresses of `fonds people list` are deleted by people.forget.',
  codec: ToErase,
  example: { person: 'r.vermeer', mentions: true, confirmed: true },
  doneBefore: (cause, context) => erasedBy(cause, context),
  carryOut: async (input: ToErase, context): Promise<Either<Rejection, ErasedNow>> => {
    const references = await referencesOf(input, context)
    if (references.length === 0)
      return left({
        code: 'unknown-value',
        message: input.mentions
          ? 'no value that is kept by reference holds that text; what was stored before personalValues was on stays'
          : 'no value that is kept by reference is exactly that text; mentions=true erases those that hold it, too; what was stored before personalValues was on stays',
      })
    if (references.length > maxReferences)
      return left({
        code: 'too-many-values',
        message: `${references.length} values hold that text, and at most ${maxReferences} are erased at once: give a longer text`,
      })
    if (input.confirmed !== true)
      return left({
        code: 'not-confirmed',
        message: `${plural(references.length, 'value')} would be erased, and nothing brings ${references.length === 1 ? 'it' : 'them'} back: give confirmed=true. ${await staysIn(context)}`,
      })
    return right({ references })
  },
  route: ({ references }: ErasedNow, by) =>
    routeTo(personDecider, personStream(bareReference(references[0]!)), {
      type: 'Erase',
      references: references.map(bareReference),
      ...by,
    }),
  afterwards: async ({ references }: ErasedNow, context) => {
    const still = 'the log has that they are erased, and they are not'
    const { overwriteErased } = await import('../../processors/runtime/overwrite-erased.ts')
    await overwriteErased(context, references)
    await orThrow(context.personal.erase(references, context.clock.now()), still)
  },
}

/** Where nobody can take values out. */
const staysIn = async (context: WorkflowContext): Promise<string> => {
  const { staysOnKafka } = await import('./stays-on-kafka.ts')
  const onKafka = await staysOnKafka(context)
  return `Older backups keep what they have${onKafka === undefined ? '' : `, and ${onKafka}`}`
}

const referencesOf = async (
  { person, mentions }: ToErase,
  { personal }: Pick<WorkflowContext, 'personal'>,
): Promise<readonly string[]> => {
  const whole = await orThrow(personal.referenceOf(person), 'personal values')
  const holding = mentions ? await orThrow(personal.holding(person), 'personal values') : []
  const named = isPersonal(person)
    ? [...(await orThrow(personal.find([person]), 'personal values')).keys()]
    : []
  return [...new Set([...named, ...(whole === undefined ? [] : [whole]), ...holding])]
}

const pageSize = 1000

const erasedBy = async (
  cause: string,
  { eventStore }: Pick<WorkflowContext, 'eventStore'>,
): Promise<DoneBefore | undefined> => {
  for (let after = -1n; ; ) {
    const read = await orThrow(
      eventStore.readAll(after, { categories: [category], types: ['PersonErased'] }, pageSize),
    )
    const event = read.events.find(({ metadata }) => metadata.causationId === cause)
    const found = event && personEvents.read(event)
    if (event && found && isRight(found) && found.right.type === 'PersonErased') {
      const { references, reason } = found.right.data
      return { done: { references: references.map(fromBare) }, actor: event.metadata.actor, reason }
    }
    if (read.caughtUp) return undefined
    after = read.position
  }
}
