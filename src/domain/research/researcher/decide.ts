import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { addMillis, millisBetween, SECOND } from '../../kernel/time.ts'
import { engineKey, researcherCategory } from '../terms.ts'
import type { Beat, Register, ResearcherCommand } from './commands.ts'
import { type ResearcherEvent, researcherEvents } from './events.ts'
import { type Description, evolve, initial, type KnownResearcher, type Researcher } from './state.ts'

interface ResearcherRejection extends Rejection {
  readonly code: 'unknown-researcher'
}

type Decision = E.Either<ResearcherRejection, readonly ResearcherEvent[]>

const decide = (command: ResearcherCommand, known: Researcher): Decision => {
  const { type, at } = command
  switch (type) {
    case 'Register':
      return E.right(register(command, known))
    case 'Beat':
      return E.right(beat(command, known))
    case 'Drain':
      if (!known) return unheardOf('drain')
      return E.right(
        known.draining || known.absence === 'left' ? [] : [{ type: 'ResearcherDraining', data: { at } }],
      )
    case 'Leave':
      if (!known) return unheardOf('leave')
      return E.right(known.absence ? [] : [{ type: 'ResearcherGone', data: { because: 'left', at } }])
    case 'NoteSilent':
      return E.right(
        known && !known.absence && (known.presentUntil <= at || known.presentUntil === command.lastWord)
          ? [{ type: 'ResearcherGone', data: { because: 'silent', at } }]
          : [],
      )
    case 'Block':
      if (!known) return unheardOf('be blocked')
      return E.right(
        known.blocked ? [] : [{ type: 'ResearcherBlocked', data: { reason: command.reason, at } }],
      )
    case 'Unblock':
      if (!known) return unheardOf('be unblocked')
      return E.right(
        known.blocked ? [{ type: 'ResearcherUnblocked', data: { reason: command.reason, at } }] : [],
      )
  }
}

/** Recorded if the researcher was absent, draining, or its description changed; else it counts as a beat. */
const register = (command: Register, known: Researcher): readonly ResearcherEvent[] => {
  const description = descriptionOf(command)
  return known && !known.absence && !known.draining && isSame(description, known.description)
    ? stillThere(command, known)
    : [registered(command, known, description)]
}

const beat = (command: Beat, known: Researcher): readonly ResearcherEvent[] => {
  if (known && !known.absence) return stillThere(command, known)
  const back = registered(command, known, known?.description ?? {})
  return known?.absence === 'silent' && known.draining
    ? [back, { type: 'ResearcherDraining', data: { at: command.at } }]
    : [back]
}

/**
 * Recorded if it moves the end of presence by at least half of the presence time. A researcher that beats more than
 * twice in that time is never silent, and most of its beats cost nothing.
 */
const stillThere = (command: Register | Beat, known: KnownResearcher): readonly ResearcherEvent[] => {
  const presentUntil = endOfPresence(command)
  return millisBetween(known.presentUntil, presentUntil) * 2 >= command.presenceSeconds * SECOND
    ? [{ type: 'ResearcherBeat', data: { presentUntil, at: command.at } }]
    : []
}

const registered = (
  command: Register | Beat,
  known: Researcher,
  { version, engine, mediaTypes }: Description,
): ResearcherEvent => {
  const end = endOfPresence(command)
  // While it is present, the end of its presence never moves back.
  const presentUntil = known && !known.absence && known.presentUntil > end ? known.presentUntil : end
  return {
    type: 'ResearcherRegistered',
    data: {
      presentUntil,
      at: command.at,
      ...(version !== undefined && { version }),
      ...(engine !== undefined && { engine }),
      ...(mediaTypes !== undefined && { mediaTypes: [...mediaTypes] }),
    },
  }
}

const endOfPresence = ({ at, presenceSeconds }: Register | Beat): string =>
  addMillis(at, presenceSeconds * SECOND)

const descriptionOf = ({ version, engine, mediaTypes }: Register): Description => ({
  ...(version !== undefined && { version }),
  ...(engine !== undefined && { engine }),
  ...(mediaTypes !== undefined && { mediaTypes }),
})

const isSame = (one: Description, other: Description): boolean => textOf(one) === textOf(other)

const textOf = ({ version, engine, mediaTypes }: Description): string =>
  JSON.stringify([version, engine && [engineKey(engine), engine.settings], mediaTypes])

const unheardOf = (what: string): Decision =>
  E.left({
    code: 'unknown-researcher',
    message: `no researcher of this name is known, so it cannot ${what}; check the spelling, or have it send researcher.registered first`,
  })

/** One researcher: its presence, and whether it may have work. */
export const researcherDecider: Decider<Researcher, ResearcherCommand, ResearcherEvent, ResearcherRejection> =
  { category: researcherCategory, events: researcherEvents, initial, evolve, decide }
