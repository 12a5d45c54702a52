import { createReadStream } from 'node:fs'
import { identifierKey } from '@fonds/premis'
import { type ReadAgent, type ReadEvent, readPremis, UnreadablePremis } from '@fonds/premis/read'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../async/unavailable.ts'
import { type EarlierEvent, earlierDecider, earlierStream } from '../../domain/kernel/earlier-event.ts'
import { nameUuids } from '../../processors/runtime/name-uuid.ts'
import { type Sealing, sealedBy } from '../sealed-by.ts'
import type { System } from '../system.ts'

/*
 * Imports the events of earlier systems from their PREMIS. All of a file is read before any event is imported. An event is named by its
 * source and its identifier: the same file again imports nothing. People are references, as everywhere: names stay outside of the log.
 */

export interface ToImport {
  /** The earlier system. */
  readonly source: string
  /** The thing that all events of the file are about. Absent: the objects that each names. */
  readonly thing?: string
  readonly actor: string
  readonly reason: string
}

export interface Imported {
  /** Events of the file. */
  readonly events: number
  /** Events that are new to the log; one about several things counts for each. */
  readonly imported: number
  readonly alreadyThere: number
  readonly things: number
}

/** Why a file is not imported, or not to its end: for a person, with the line. */
export class NotImported extends Error {
  override readonly name = 'NotImported'
}

type Importing = Pick<System, 'execute' | 'clock' | 'people'> & Sealing

const references = nameUuids('0f5e3c5a-7c2e-5b52-9d0e-7f6a2c9b4d11')
const causes = nameUuids('6f0d0c61-56a1-5f6e-8a35-3d6c0e3b8f20')

/** Throws `NotImported`, `UnavailableError`, and system errors of a file that cannot be read. */
export const importPremis = async (
  system: Importing,
  file: string,
  wanted: ToImport,
  signal: AbortSignal,
): Promise<Imported> => {
  const given = await orThrow(sealedBy(system, wanted))
  const agents = await checked(file, given)
  const count = { events: 0, imported: 0, alreadyThere: 0 }
  const things = new Set<string>()
  for await (const found of readPremis(createReadStream(file))) {
    if (found.kind !== 'event') continue
    signal.throwIfAborted()
    count.events++
    const { event, people } = earlierOf(found, given.source, agents)
    for (const thing of thingsOf(found, given)) {
      things.add(thing)
      const isNew = await importOne(system, thing, event, given, found.line)
      count[isNew ? 'imported' : 'alreadyThere']++
      if (isNew) for (const person of people) await orThrow(system.people.note(person), 'names and addresses')
    }
  }
  return { ...count, things: things.size }
}

type Agents = ReadonlyMap<string, ReadAgent>

/** Reads the whole file. Returns the agents that it describes, by their identifiers. */
const checked = async (file: string, given: ToImport): Promise<Agents> => {
  const agents = new Map<string, ReadAgent>()
  try {
    for await (const found of readPremis(createReadStream(file)))
      if (found.kind === 'agent') for (const one of found.identifiers) agents.set(identifierKey(one), found)
      else if (thingsOf(found, given).length === 0)
        throw new NotImported(
          `line ${found.line}: event has no linkingObjectIdentifier: --thing <id> says which thing it is about`,
        )
  } catch (error) {
    if (error instanceof UnreadablePremis) throw new NotImported(error.message, { cause: error })
    throw error
  }
  return agents
}

const thingsOf = ({ objects }: ReadEvent, { thing }: ToImport): readonly string[] =>
  thing === undefined ? [...new Set(objects.map(({ identifier }) => identifier.value))] : [thing]

const importOne = async (
  { execute, clock }: Importing,
  thing: string,
  event: EarlierEvent,
  { source, actor, reason }: ToImport,
  line: number,
): Promise<boolean> => {
  const { type, value } = event.identifier
  const causationId = causes(source, type, value, JSON.stringify(event))
  const done = await execute(earlierDecider, {
    stream: earlierStream(thing),
    command: { type: 'Import', event, actor, reason, at: clock.now() },
    causationId,
    correlationId: causationId,
  })
  if (isLeft(done)) throw unavailable(done.left)
  if (done.right.kind === 'rejected') throw new NotImported(`line ${line}: ${done.right.rejection.message}`)
  return done.right.kind === 'done'
}

/** Kinds of agents that are no people. Others are, or may be. */
const noPeople: readonly string[] = ['software', 'hardware', 'organization']

/** The event as the log gets it, and the people whose names it does not get. */
const earlierOf = (read: ReadEvent, source: string, agents: Agents) => {
  const people: { readonly reference: string; readonly name: string }[] = []
  const event: EarlierEvent = {
    source,
    identifier: read.identifier,
    type: read.type,
    dateTime: read.dateTime,
    ...(read.detail !== undefined && { detail: read.detail }),
    outcomes: read.outcomes.filter(({ outcome, note }) => outcome !== undefined || note !== undefined),
    agents: read.agents.map(({ identifier, roles }) => {
      const { name, type: kind, version } = agents.get(identifierKey(identifier)) ?? {}
      if (kind !== undefined && noPeople.includes(kind.toLowerCase()))
        return { identifier, roles, kind, ...(name && { name }), ...(version && { version }) }
      const reference = `person#${references(source, identifier.type, identifier.value)}`
      people.push({ reference, name: name ?? `${identifier.type} ${identifier.value}` })
      return { identifier: { type: 'fonds person', value: reference }, roles }
    }),
    objects: read.objects,
  }
  return { event, people }
}
