import { type PremisAgent, type PremisObject, termOrOwn } from '@fonds/premis'
import type { EarlierRecorded } from '../../domain/kernel/earlier-event.ts'
import { isReference } from '../../domain/kernel/person.ts'
import type { Acting, ExportedEvent } from './agents.ts'

/* Events of earlier systems, exported again as they were told: with their identifiers, times, words and agents. */

export const exportedEarlier = (recorded: EarlierRecorded, thing: PremisObject): ExportedEvent => {
  const { id, stream, type, revision, data } = recorded
  const agents = data.agents.length > 0 ? data.agents.map(agentOf) : [systemOf(data.source)]
  const [first] = data.outcomes
  const notes = [
    first?.note,
    ...data.outcomes.slice(1).flatMap(({ outcome, note }) => [outcome, note]),
  ].filter((text) => text !== undefined)
  const details = [data.detail, ...(first?.outcome === undefined ? notes : [])].filter(
    (text) => text !== undefined,
  )
  return {
    agents,
    objects: [{ category: thing.category, identifiers: thing.identifiers }],
    event: {
      identifier: data.identifier,
      type: termOrOwn('eventType', data.type),
      dateTime: data.dateTime,
      ...(details.length > 0 && { detail: details.join('\n') }),
      ...(first?.outcome !== undefined && {
        outcome: {
          term: termOrOwn('eventOutcome', first.outcome),
          ...(notes.length > 0 && { note: notes.join('; ') }),
        },
      }),
      agents: agents.map(({ agent, roles }) => ({ identifier: agent.identifier, roles })),
      objects: [{ identifier: thing.identifiers[0] }],
      facts: {
        id,
        type,
        stream,
        revision: String(revision),
        source: data.source,
        importedAt: data.at,
        ...(data.objects.length > 0 && {
          objects: data.objects.map(({ identifier }) => `${identifier.type} ${identifier.value}`).join('; '),
        }),
      },
    },
  }
}

const agentOf = ({
  identifier,
  roles,
  name,
  kind,
  version,
}: EarlierRecorded['data']['agents'][number]): Acting => {
  const agent: PremisAgent = {
    identifier,
    ...(name !== undefined && { name }),
    ...(kind !== undefined
      ? { type: termOrOwn('agentType', kind) }
      : isReference(identifier.value) && { type: termOrOwn('agentType', 'person') }),
    ...(version !== undefined && { version }),
  }
  return { agent, roles: roles.map((role) => termOrOwn('eventRelatedAgentRole', role)) }
}

/** The event named no agent. */
const systemOf = (source: string): Acting => ({
  agent: {
    identifier: { type: 'fonds source', value: source },
    name: source,
    note: 'The earlier system that recorded the event, which names no agent.',
  },
  roles: [],
})
