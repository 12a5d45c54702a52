import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../kernel/decider.ts'
import type { Rejection } from '../kernel/rejection.ts'
import type { DossierCommand, NoteFindings, NoteStored, NoteWithdrawal } from './commands.ts'
import { category, type DossierEvent, dossierEvents } from './events.ts'
import { type DossierState, evolve, initial, lastOf, maxFailing, partId } from './state.ts'

export interface DossierRejection extends Rejection {
  readonly code: 'unknown-version'
}

type Decision = E.Either<DossierRejection, readonly DossierEvent[]>

/** Input that was noted before changes nothing: each input may come again, and late. */
const decide = (command: DossierCommand, state: DossierState): Decision => {
  switch (command.type) {
    case 'NoteStored':
      return E.right(stored(command, state))
    case 'NoteHandedOver': {
      const { version, rule, store, parts, shared, at } = command
      return ofVersion(state, version, ({ handedOver }) =>
        handedOver.includes(rule)
          ? []
          : [{ type: 'ContentHandedOver', data: { version, rule, store, parts, shared, at } }],
      )
    }
    case 'NoteHandOverFailed': {
      const { version, rule, reason, at } = command
      return ofVersion(state, version, ({ handedOver, failure }) =>
        handedOver.includes(rule) || (failure?.rule === rule && failure.reason === reason)
          ? []
          : [{ type: 'HandOverFailed', data: { version, rule, reason, at } }],
      )
    }
    case 'NoteFindings':
      return E.right(findings(command, state))
    case 'NoteWithdrawal':
      return E.right(withdrawal(command, state))
    case 'NoteWithdrawn': {
      const { keep, rule, parts, shared, at } = command
      return E.right(
        state.withdrawing?.keep === keep
          ? [{ type: 'ContentWithdrawn', data: { keep, rule, parts, shared, at } }]
          : [],
      )
    }
  }
}

const ofVersion = (
  { versions }: DossierState,
  version: number,
  decided: (known: NonNullable<ReturnType<DossierState['versions']['get']>>) => readonly DossierEvent[],
): Decision => {
  const known = versions.get(version)
  return known
    ? E.right(decided(known))
    : E.left({ code: 'unknown-version', message: `no version ${version} of the object is in its dossier` })
}

const stored = (
  { type: _, actor: __, batch, job, profile, localIds, ...stored }: NoteStored,
  state: DossierState,
): readonly DossierEvent[] =>
  state.versions.has(stored.version)
    ? []
    : [
        {
          type: 'ObjectStored',
          data: {
            ...stored,
            localIds: [...localIds],
            isLast: stored.version > lastOf(state),
            ...(batch !== undefined && { batch }),
            ...(job !== undefined && { job }),
            ...(profile !== undefined && { profile }),
          },
        },
      ]

const findings = (
  { failed, cleared, verified, at }: NoteFindings,
  { failing, versions }: DossierState,
): readonly DossierEvent[] => {
  const room = Math.max(0, maxFailing - failing.size)
  return [
    ...failed
      .filter((part) => !failing.has(partId(part)))
      .slice(0, room)
      .map(
        ({ store, path, kind, finding }): DossierEvent => ({
          type: 'PartFailed',
          data: { store, path, kind, finding, at },
        }),
      ),
    ...cleared
      .filter((part) => failing.has(partId(part)))
      .map(({ store, path, how }): DossierEvent => ({ type: 'PartCleared', data: { store, path, how, at } })),
    ...verified
      .filter(({ version }) => versions.get(version)?.isVerified === false)
      .map(({ version, parts }): DossierEvent => ({ type: 'PartsVerified', data: { version, parts, at } })),
  ]
}

/** Versions that the dossier does not know were never handed over: nothing of them is to be taken back. */
const withdrawal = ({ keep, reason, at }: NoteWithdrawal, state: DossierState): readonly DossierEvent[] =>
  lastOf(state) <= keep
    ? []
    : [
        { type: 'VersionsWithdrawn', data: { keep, reason, at } },
        ...(keep === 0 ? [{ type: 'DossierClosed' as const, data: { reason, at } }] : []),
      ]

/** One object's way through the workflows. */
export const dossierDecider: Decider<DossierState, DossierCommand, DossierEvent, DossierRejection> = {
  category,
  events: dossierEvents,
  initial,
  evolve,
  decide,
}
