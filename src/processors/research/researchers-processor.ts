import type { MessagesOf } from '../../domain/kernel/message.ts'
import type { ResearcherCommand } from '../../domain/research/researcher/commands.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { researchersTopic } from '../../domain/research/researcher-messages.ts'
import { researcherStream } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { PolicyLookup } from './policy-lookup.ts'
import { asGiven, type ResearcherNames } from './researcher-names.ts'

type ResearcherMessage = MessagesOf<typeof researchersTopic>

/** Presence of researchers. It counts from the intake of a message: one clock begins and ends it (F26). */
export const researchersProcessor = (
  policy: PolicyLookup,
  clock: Clock,
  named: ResearcherNames = asGiven,
): Processor => ({
  name: 'research-researchers',
  group: 'fonds.research.researchers',
  topics: [researchersTopic],
  route: async (messages) => {
    const { presenceSeconds } = await policy()
    const given = messages as readonly ResearcherMessage[]
    const nameOf = await named(new Set(given.map(({ data }) => data.researcher)))
    return given.map((message) => {
      const { researcher } = nameOf(message.data.researcher)
      const command = commandFor(message, presenceSeconds, clock.now())
      return [routeTo(researcherDecider, researcherStream(researcher), command)]
    })
  },
})

const commandFor = (message: ResearcherMessage, presenceSeconds: number, at: string): ResearcherCommand => {
  const by = { actor: message.source, at }
  switch (message.type) {
    case 'researcher.registered': {
      const { version, engine, mediaTypes } = message.data
      return { type: 'Register', version, engine, mediaTypes, presenceSeconds, ...by }
    }
    case 'researcher.beat':
      return { type: 'Beat', presenceSeconds, ...by }
    case 'researcher.draining':
      return { type: 'Drain', ...by }
    case 'researcher.gone':
      return { type: 'Leave', ...by }
  }
}
