import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../kernel/decider.ts'
import type { Rejection } from '../kernel/rejection.ts'
import type { DossierCommand, NoteFindings, NoteIndexing, NoteStored, NoteWithdrawal } from './commands.ts'
import { category, type DossierEvent, dossierEvents } from './events.ts'
import { archiveId, type DossierState, evolve, initial, lastOf, maxFailing, partId } from './state.ts'

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
      const { version, rule, store, parts, shared, embargoUntil, at } = command
      const embargo = embargoUntil === undefined ? {} : { embargoUntil }
      return ofVersion(state, version, ({ handedOver }) =>
        handedOver.includes(rule)
          ? []
          : [{ type: 'ContentHandedOver', data: { version, rule, store, parts, shared, ...embargo, at } }],
      )
    }
    case 'NoteArchives': {
      const { version, store, files, at } = command
      return ofVersion(state, version, ({ archives }) =>
        archives > 0
          ? []
          : pagesOf(files).map((page) => ({
              type: 'ArchivesListed',
              data: { version, store, files: [...page], at },
            })),
      )
    }
    case 'NoteIndexing':
      return E.right(indexing(command, state))
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
        state.withdrawing?.keep === keep && !state.withdrawing.done.includes(rule)
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
  { type: _, actor: __, batch, job, profile, rules, localIds, ...stored }: NoteStored,
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
            ...(rules !== undefined && { rules: [...rules] }),
          },
        },
      ]

/** Files that one event names. */
const maxListed = 500

const pagesOf = <A>(all: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / maxListed) }, (_, i) =>
    all.slice(i * maxListed, (i + 1) * maxListed),
  )

const indexing = (
  { store, name, outcome, at }: NoteIndexing,
  { failing }: DossierState,
): readonly DossierEvent[] => {
  if ('lines' in outcome) return [{ type: 'ArchiveIndexed', data: { store, name, lines: outcome.lines, at } }]
  return failing.has(archiveId({ store, name })) || failing.size >= maxFailing
    ? []
    : [{ type: 'ArchiveFailed', data: { store, name, finding: outcome.finding, at } }]
}

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
