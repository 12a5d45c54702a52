import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRoles } from '../../app/roles.ts'
import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { contentTopic, indexTopic, observationsTopic } from '../../domain/fixity/messages.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import { fixityReport } from '../../projections/fixity/questions/report.ts'
import { reportText } from '../../projections/fixity/questions/report-text.ts'
import { type Report, reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { askCommand } from '../ask-command.ts'
import { addFolder } from '../fixity/add.ts'
import { summaryLines } from '../fixity/add-summary.ts'
import { type CheckSummary, checkNow } from '../fixity/check.ts'
import { historyLines } from '../history-lines.ts'
import { writeRows } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { buildArchive, faults } from './archive.ts'
import type { DemoContext } from './context.ts'
import { observations, receipts } from './partner.ts'

const actor = 'demo'

/** A small archive: recorded, checked, damaged, checked again, shown. Returns what a person may do next. */
export const fixityStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, output, say, title } = context
  const root = join(system.config.home, 'archive')

  await title('An archive')
  const files = await buildArchive(root)
  await say(
    `${plural(files.length, 'file')} in ${root}: a bag, a folder with a checksum file, a folder with neither.`,
  )
  const adding = context.progress('Recording', files.length)
  const added = await addFolder(
    system,
    root,
    { store: 'archive', actor },
    ({ items }) => adding.advance(items),
    context.signal,
  )
  adding.done()
  for (const line of summaryLines(added)) await say(line)

  await title('A first check: every byte is read')
  await say(sentence(await check(context)))
  const healthyAt = system.clock.now()

  await title('A year passes, and things happen')
  const roles = await startRoles(system, ['processors', 'reactions', 'projections'])
  await damage(system, root)
  await say(`One byte of ${faults.flipped} flips.`)
  await say(`${faults.deleted} vanishes.`)
  await say(`${faults.withdrawn} is withdrawn on purpose, and deleted.`)
  await say(`The catalogue's index gets ${faults.wrongIndex} wrong.`)
  await say(`The audit log is told a wrong checksum for ${faults.wrongAudit}.`)
  await say('A partner that keeps copies for us reports what its storage claims: some claims do not fit.')
  await hearPartner(system)
  await roles.stop()

  await title('A second check')
  await say(sentence(await check(context)))

  await title('The report')
  for (const block of reportText(fixityReport(system.viewStore, system.clock.now())))
    if (typeof block === 'string') await say(block)
    else
      await writeRows(output, [block.rows.map((row) => ({ ...row }))], {
        format: 'table',
        columns: block.columns,
      })
  await say('\nTo be settled by somebody:')
  await writeRows(
    output,
    [fixityReport(system.viewStore, system.clock.now()).resolutions.map((one) => ({ ...one }))],
    {
      format: 'table',
      columns: ['store', 'path', 'class', 'row', 'summary'].map((key) => ({ key })),
    },
  )

  await title(`Everything that ever happened to ${faults.flipped}`)
  for (const line of await historyLines(system, `archive/${faults.flipped}`)) await say(line)

  return nextSteps(context.call, root, healthyAt)
}

const check = async ({ system, progress, signal }: DemoContext): Promise<CheckSummary> => {
  const checking = progress('Checking')
  let done = 0
  const summary = await checkNow(system, { store: 'archive' }, { actor, wait: true, signal }, (step) => {
    checking.total(step.total)
    checking.advance(step.done - done)
    done = step.done
  })
  checking.done()
  return summary
}

const sentence = (summary: CheckSummary): string =>
  `${plural(summary.checked, 'item')} checked: ${count(summary.verified)} verified, ${count(summary.failed)} failed` +
  (summary.unverified > 0 ? `, ${count(summary.unverified)} unverified.` : '.')

/** Plants failures as disks, people and software cause them: flipped bytes, deleted files, wrong records. */
const damage = async (system: System, root: string): Promise<void> => {
  const flipped = join(root, faults.flipped)
  const bytes = await readFile(flipped)
  bytes[1000] = bytes[1000]! ^ 0x01
  await writeFile(flipped, bytes)
  await rm(join(root, faults.deleted))
  await rm(join(root, faults.withdrawn))
  const wrong = { algorithm: 'md5', value: '0'.repeat(32) }
  const alsoWrong = { algorithm: 'sha-256', value: 'f'.repeat(64) }
  await hear(system, [
    {
      topic: contentTopic,
      type: 'content.removed',
      data: { store: 'archive', path: faults.withdrawn, reason: 'withdrawn by the donor' },
    },
    {
      topic: indexTopic,
      type: 'index.recorded',
      data: { store: 'archive', path: faults.wrongIndex, checksums: [wrong] },
    },
    { topic: indexTopic, type: 'index.recorded', data: await recordOf(system, faults.wrongAudit) },
    {
      topic: contentTopic,
      type: 'content.recorded',
      data: {
        store: 'archive',
        path: faults.wrongAudit,
        checksums: [alsoWrong],
        recordedFrom: 'a faulty import',
      },
    },
  ])
}

/** The record of an item, as a report of the content index. */
const recordOf = async ({ viewStore }: System, path: string) => {
  const checksums = row(viewStore, items, is('path', path))?.checksums
  return { store: 'archive', path, checksums }
}

type TopicReport = {
  readonly topic: typeof contentTopic | typeof indexTopic | typeof observationsTopic
} & Report

/** Produces messages, and waits until all their effects can be seen. */
const hear = async (system: System, messages: readonly TopicReport[]): Promise<void> => {
  for (const { topic, ...message } of messages) await reportOnTopic(system, topic, 'fonds://demo', [message])
  await waitUntilIdle(system)
}

/** A mismatch may be a record under way: it counts when the third check finds it still. */
const checks = 3

const hearPartner = async (system: System): Promise<void> => {
  const store = { store: 'partner', kind: 'external', lagSeconds: 0 }
  await askCommand(system, 'fixity.register-store', store, { actor, reason: 'demo' })
  await hear(
    system,
    receipts().map((data) => ({ topic: contentTopic, type: 'content.recorded', data })),
  )
  for (let check = 0; check < checks; check++)
    await hear(
      system,
      observations(system.clock.now()).map((data) => ({
        topic: observationsTopic,
        type: 'content.observed',
        data,
      })),
    )
}

const nextSteps = (call: string, root: string, healthyAt: string): readonly string[] => [
  'Look at the report, and print it if you like:',
  `  ${call} fixity report --html report.html`,
  'See what is to be settled, and how a person settles it:',
  `  ${call} fixity findings`,
  `  ${call} do fixity.resolve --help`,
  'See the damaged letter as it was before:',
  `  ${call} query fixity-items --where path=${faults.flipped} --as-of ${healthyAt}`,
  `The archive is in ${root}. Damage it further, then:`,
  `  ${call} fixity check archive`,
]
