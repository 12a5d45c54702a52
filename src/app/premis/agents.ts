import { type PremisAgent, type PremisEvent, type PremisObject, type Term, term } from '@fonds/premis'
import manifest from '../../../package.json' with { type: 'json' }
import { isReference } from '../../domain/kernel/person.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'

/** An agent, and its roles in the events that name it. */
export interface Acting {
  readonly agent: PremisAgent
  readonly roles: readonly Term[]
}

export interface ExportedEvent {
  readonly event: PremisEvent
  readonly agents: readonly Acting[]
  /** The least that is known of its objects: kind and identifier. */
  readonly objects: readonly PremisObject[]
}

const software = term('agentType', 'software')
const executing = term('eventRelatedAgentRole', 'executing program')
const implementing = term('eventRelatedAgentRole', 'implementer')

/** Fonds itself. The log does not keep which version wrote an event. */
export const fonds: Acting = {
  agent: {
    identifier: { type: 'fonds program', value: 'fonds' },
    name: 'Fonds',
    type: software,
    version: manifest.version,
    note: 'The version is that of the program that made this export: the log does not keep which version recorded an event.',
  },
  roles: [executing],
}

/** Parts of Fonds: workers as `<kind>@<host>/<process>/<number>`, sources of messages as `fonds://…`, others by name. */
const workers = /^(?:fonds:\/\/)?[a-z]+@[^/@\s]+\/\d+\/[0-9a-f]+(?:\.\d+)?$/
const parts: readonly string[] = ['ticker', 'poller', 'cdx-server', 'matching-merger', 'simulation']
export const isPart = (actor: string): boolean =>
  workers.test(actor) || actor.startsWith('fonds://') || actor.startsWith('fonds/') || parts.includes(actor)

/** Names and mail addresses are not known here: a person has a reference alone. */
export const acting = (actor: string): Acting => {
  if (isReference(actor) || isPersonal(actor))
    return {
      agent: { identifier: { type: 'fonds person', value: actor }, type: term('agentType', 'person') },
      roles: [implementing],
    }
  const agent = { identifier: { type: 'fonds actor', value: actor }, name: actor }
  return isPart(actor)
    ? {
        agent: { ...agent, type: software, note: 'Named as parts of Fonds name themselves.' },
        roles: [executing],
      }
    : {
        agent: {
          ...agent,
          note: 'Named so in the log, which does not say whether this is a person or a program.',
        },
        roles: [implementing],
      }
}

/** A program that a result names with its version. */
export const program = ({ name, version }: { readonly name: string; readonly version: string }): Acting => ({
  agent: {
    identifier: { type: 'program', value: `${name} ${version}` },
    name,
    type: software,
    version,
  },
  roles: [executing],
})
