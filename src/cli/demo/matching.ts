import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRoles } from '../../app/roles.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { type WorkUpdated, worksTopic } from '../../domain/matching/messages.ts'
import { merged } from '../../domain/matching/views.ts'
import { componentAnswer } from '../../projections/matching/questions/component.ts'
import { toDot } from '../../projections/matching/questions/dot.ts'
import { drawnGraph } from '../../projections/matching/questions/picture-graph.ts'
import { toSvg } from '../../projections/matching/questions/svg.ts'
import { why } from '../../projections/matching/questions/why.ts'
import { whyLines } from '../../projections/matching/questions/why-lines.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { writeRows } from '../output/format.ts'
import { plural } from '../output/text.ts'
import { catalogue, corrections, wrongPairs } from './catalogue.ts'
import type { DemoContext } from './context.ts'

/** A small catalogue, matched and merged; and the four works whose update once was stuck. Returns what to do next. */
export const matchingStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, say, title, call } = context
  const roles = await startRoles(system, ['processors', 'reactions', 'projections'])

  await title('A catalogue: records that are about the same work find each other')
  await hear(context, catalogue)
  await say(`${plural(catalogue.length, 'record')} of a library, its pictures and its scans came in.`)
  await documents(context, ({ work }) => !manuscripts.includes(work))
  await say('The other plate and the copy are one: both cite a shelfmark, though no source describes it.')

  await title('Why are the scan and the plate one work?')
  const answer = why(system.viewStore, 'herbal-scan', 'gentian-plate')
  for (const line of answer ? whyLines(answer) : []) await say(line)

  await title('Four manuscripts, wrongly paired, put right in the wrong order')
  await hear(context, wrongPairs)
  await say('A and B are one work, C and D another; but A belongs to D, and B to C. The library')
  await say('corrects A, B, C and D, in this order. Fonds hears of D first, then of A and C, then')
  await say('of B. In the table: which are one, and the version of what is shown for each.')
  const stages = [{ when: 'at first', rows: manuscriptsNow(context) }]
  for (const step of corrections) {
    await hear(context, step)
    stages.push({ when: `after ${step.map(({ id }) => id).join(' and ')}`, rows: manuscriptsNow(context) })
  }
  await writeRows(context.output, [stageRows(stages)], { format: 'table' })
  await say('Where the newest time stamp of a graph is the version of all its works, the last')
  await say('step is refused for ever: B was shown at time 4, and its correction is of time 2.')
  await say('Here each change of a graph has a version of its own, and what it touches gets it.')

  await title('A picture of a graph')
  const picture = join(system.config.home, 'herbal.svg')
  const herbal = componentAnswer(system.viewStore, 'herbal')
  if (herbal) {
    const graph = drawnGraph(system.viewStore, herbal, { work: 'herbal' })
    await writeFile(picture, await toSvg(toDot(graph)))
  }
  await say(`The herbal, its scan, its plate and a deleted draft: open ${picture}`)
  await roles.stop()
  return [
    'Look at the picture of the herbal in a browser, and draw another one:',
    `  ${picture}`,
    `  ${call} matching graph A --output a.svg`,
    'See why two records are one work, what a link would change, when A joined and left whom:',
    `  ${call} matching why herbal-scan gentian-plate`,
    `  ${call} matching what-if drop gentian-plate herbal`,
    `  ${call} matching history A`,
  ]
}

const manuscripts: readonly string[] = ['A', 'B', 'C', 'D']

const hear = async ({ system }: DemoContext, works: readonly WorkUpdated[]): Promise<void> => {
  await reportOnTopic(
    system,
    worksTopic,
    'fonds://demo/catalogue',
    works.map((data) => ({ type: 'work.updated', data })),
  )
  await waitUntilIdle(system)
}

type MergedRow = RowOf<typeof merged>

const mergedRows = ({ system }: DemoContext): readonly MergedRow[] =>
  rows(system.viewStore, merged, { where: [is('generation', 1)], orderBy: [{ column: 'work' }] })

const documents = async (context: DemoContext, which: (row: MergedRow) => boolean): Promise<void> =>
  writeRows(
    context.output,
    [
      mergedRows(context)
        .filter(which)
        .map(({ work, kind, to, title }) => ({ work, is: kind, to, title })),
    ],
    { format: 'table' },
  )

const manuscriptsNow = (context: DemoContext) =>
  mergedRows(context).filter(({ work }) => manuscripts.includes(work))

/** Versions are large numbers: they are shown as 1, 2, 3, as only their order matters. */
const stageRows = (stages: readonly { readonly when: string; readonly rows: readonly MergedRow[] }[]) => {
  const all = stages.flatMap(({ rows }) => rows.map(({ version }) => version))
  const versions = [...new Set(all)].sort((one, other) => one - other)
  return stages.map(({ when, rows }) => ({
    '': when,
    'one work': [...Map.groupBy(rows, ({ to, work }) => to ?? work).values()]
      .map((some) => some.map(({ work }) => work).join(' '))
      .join(', '),
    ...Object.fromEntries(rows.map(({ work, version }) => [work, versions.indexOf(version) + 1])),
  }))
}
