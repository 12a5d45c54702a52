import type { Projection } from '../../projections/runtime/projection.ts'
import { rebuild } from '../../projections/runtime/rebuild.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { jsonText } from '../output/format.ts'
import { plural } from '../output/text.ts'
import type { DemoContext } from './context.ts'
import { fixityStory } from './fixity.ts'
import { indexingStory } from './indexing.ts'
import { ingestStory } from './ingest.ts'
import { matchingStory } from './matching.ts'
import { proofStory } from './proof.ts'
import { researchStory } from './research.ts'

/** A small archive through every workflow, its history sealed, and its views proved. Returns how many views differ from the events. */
export const runDemo = async (given: Omit<DemoContext, 'say' | 'title'>): Promise<number> => {
  const say = (text = '') => given.output.write(`${text}\n`)
  let number = 0
  const title = (text: string) => {
    const line = `${++number}. ${text}`
    return say(`\n${line}\n${'─'.repeat(line.length)}`)
  }
  const context = { ...given, say, title }

  const next = [
    ...(await fixityStory(context)),
    ...(await ingestStory(context)),
    ...(await indexingStory(context)),
    ...(await matchingStory(context)),
    ...(await researchStory(context)),
    ...(await proofStory(context)),
  ]

  await title('The views, folded again from the events')
  let differences = 0
  for (const projection of projectionsOf(given.system.workflows))
    differences += await prove(projection, context)

  await say('\nNow you\n───────')
  for (const line of next) await say(line)
  await say(`Run everything, with HTTP on this machine:\n  ${given.call} start`)
  return differences
}

const prove = async (projection: Projection, { system, progress, say }: DemoContext): Promise<number> => {
  const bar = progress(`Rebuilding ${projection.name}`)
  let seen = 0
  const { differences } = await rebuild(projection, {
    ...system,
    verify: true,
    onProgress: ({ events }) => {
      bar.advance(events - seen)
      seen = events
    },
  })
  bar.done()
  await say(
    differences.length === 0
      ? `${projection.name}: ${plural(seen, 'event')} folded anew, every row of ${plural(projection.views.length, 'view')} is the same.`
      : `${projection.name}: the views differ: ${jsonText(differences)}`,
  )
  return differences.length
}
