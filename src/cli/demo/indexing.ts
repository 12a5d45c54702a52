import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { dispatch } from '../../app/dispatch.ts'
import { type Running, startRoles } from '../../app/roles.ts'
import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { files } from '../../domain/indexing/views.ts'
import { rows } from '../../domain/kernel/read-views.ts'
import { findCaptures } from '../../projections/indexing/captures/find-captures.ts'
import {
  type CaptureRow,
  captureColumns,
  captureRow,
} from '../../projections/indexing/questions/capture-rows.ts'
import { queryOf } from '../../projections/indexing/questions/capture-scope.ts'
import { walkFolder } from '../../workers/indexing/listing/walk-folder.ts'
import { policyIn } from '../../workers/indexing/policy-in.ts'
import { pollSource } from '../../workers/indexing/poll-source.ts'
import { captureSource } from '../../workflows/indexing/capture-source.ts'
import { indexingContext } from '../../workflows/indexing/context.ts'
import { writeRows } from '../output/format.ts'
import { untilDone } from '../until-done.ts'
import type { DemoContext } from './context.ts'
import { damaged, frontPage, makeCrawl } from './crawl.ts'

/** A harvest is indexed, but for a damaged file; what that still holds is salvaged. Returns what to do next. */
export const indexingStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, title, say, call } = context
  const crawl = join(system.config.home, 'crawl')
  const roles = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  const work: Work = { ...context, roles }
  try {
    await title('A web archive: three harvests of a site, one of their files damaged')
    await makeCrawl(crawl)
    await sight(work, crawl)
    await untilNothingIsDue(work)
    await showFiles(work)
    await say(`No line of ${damaged} is in the index: it is parked until a person decides.\n`)
    await salvage(work)
    await untilNothingIsDue(work)
    await say(
      `Salvaged: what is whole of ${damaged} is in the index, and what is lost is known, byte for byte.`,
    )
    await showFiles(work)
    await showCaptures(work, 3)

    return [
      'Ask for captures, or start the server and have pywb replay them (docs/indexing.md):',
      `  ${call} indexing captures museum.example --match domain`,
      `  ${call} indexing why ${frontPage}`,
      `  ${call} history main/${damaged}`,
    ]
  } finally {
    await roles.stop()
  }
}

interface Work extends DemoContext {
  readonly roles: Running
}

/** Says on the topic which files there are. */
const sight = async ({ system, signal, say }: Work, folder: string): Promise<void> => {
  const policy = policyIn(system.config)
  const source = 'fonds://demo'
  const onSkipped = () => {}
  const tools = { ...system, policy, source, signal, onSkipped }
  const { listed } = await pollSource('main', walkFolder(folder), tools)
  await say(`${listed} archive files lie in ${folder}.`)
  await waitUntilIdle(system)
}

/** A person's decision: `fonds do indexing.salvage`. */
const salvage = async ({ system }: Work): Promise<void> => {
  const commands = system.workflows.flatMap((workflow) => workflow.commands)
  const command = commands.find(({ name }) => name === 'indexing.salvage')
  if (!command) throw new Error('there is no command indexing.salvage')
  const input = { repository: 'main', name: damaged }
  const done = await dispatch(system, command, input, { actor: 'demo', reason: 'there is no other copy' })
  if (E.isLeft(done)) throw new Error('the command could not be given')
  await waitUntilIdle(system)
}

const untilNothingIsDue = async ({ system, roles, signal }: Work): Promise<void> => {
  const { viewStore, clock } = system
  const isOpen = ({ state }: { readonly state: string }) => state === 'new' || state === 'indexing'
  const poll = () => ({ isDone: !rows(viewStore, files).some(isOpen) })
  await untilDone(roles, poll, { clock, signal })
  await waitUntilIdle(system)
}

const showFiles = async ({ system, output }: Work): Promise<void> => {
  const table = rows(system.viewStore, files).map(({ name, state, lines, lostBytes, because }) => ({
    file: name,
    state,
    captures: lines,
    lost: lostBytes,
    because,
  }))
  await writeRows(output, [table], { format: 'table' })
}

/** The captures of the front page, as soon as there are so many: the aggregator has taken the lines over. */
const showCaptures = async ({ system, roles, signal, output }: Work, wanted: number): Promise<void> => {
  const poll = async () => {
    const found = await capturesOf(system)
    return { isDone: found.length >= wanted, found }
  }
  const { found } = await untilDone(roles, poll, { clock: system.clock, signal })
  await writeRows(output, [found], { format: 'table', columns: captureColumns })
}

const capturesOf = async (system: System): Promise<readonly CaptureRow[]> => {
  const query = queryOf({ url: frontPage, match: 'exact' })
  const found: CaptureRow[] = []
  for await (const { lines } of findCaptures(await captureSource(indexingContext(system)), query))
    found.push(...lines.map(captureRow))
  return found
}
