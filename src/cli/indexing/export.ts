import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { CaptureIndex } from '../../ports/capture-index.ts'
import { embargoListOf } from '../../workers/indexing/aggregator/embargo-list.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'

interface ExportFlags {
  readonly name: string
}

export const registerExport = (indexing: Command, context: CliContext): void => {
  const command = indexing
    .command('export')
    .summary('write the index as a ZipNum cluster')
    .description(
      'Writes all lines that can be found now as compressed blocks with a summary, as replay software of large archives reads them: ' +
        '<name>.cdx.gz, <name>.idx and <name>.loc. Rules of access do not hold for them. It needs the index alone, and no home.',
    )
    .argument('<folder>', 'where the files are written')
    .option('--name <name>', 'what they are called; none of that name may be there', 'index')
    .action(
      running(context, (session, folder: string, flags: ExportFlags) =>
        exportCommand(context, session, folder, flags),
      ),
    )
  addExamples(command, [['indexing export /srv/zipnum', "pywb's index_paths names the folder"]])
}

const exportCommand = async (
  { openAlone }: CliContext,
  session: Session,
  folder: string,
  { name }: ExportFlags,
): Promise<CliFailure | undefined> => {
  if (!/^[\w-][\w.-]*$/.test(name))
    return usage(`--name: ${visible(name)} is no name`, 'it wants letters, digits, . _ and -')
  const into = resolve(folder)
  if (existsSync(join(into, `${name}.idx`)))
    return refused(
      `${visible(join(into, name))}.idx is there`,
      'its readers would find other blocks; give another --name',
    )
  // Else the log may say where the index is.
  const alone = session.given.indexingFolder === undefined ? undefined : await openAlone?.(session.config)
  try {
    const { adapters } = alone ?? (await session.system())
    return await exportIndex(session, adapters.indexing.captureIndex(), into, name)
  } finally {
    await alone?.close()
  }
}

const exportIndex = async (
  { config, output, progress: startProgress, signal, say }: Session,
  index: CaptureIndex,
  into: string,
  name: string,
): Promise<CliFailure | undefined> => {
  // pywb answers with status 500 where a summary is empty.
  if (!(await hasLines(index)))
    return refused(
      `the index in ${visible(config.indexingFolder)} has no lines`,
      'FONDS_INDEXING_FOLDER says where it is',
    )
  const runs = (await index.runs()).filter(({ state }) => state !== 'removed')
  const leftOut = await embargoListOf({ config }).heldBack(new Date().toISOString())
  const progress = startProgress('Exporting', { total: runs.reduce((sum, { lines }) => sum + lines, 0) })
  try {
    const written = await index.exportZipNum(into, name, { signal, leftOut, onLines: progress.advance })
    await output.write(
      output.isTTY
        ? `${plural(written.lines, 'line')} in ${plural(written.blocks, 'block')} of ${join(into, name)}.cdx.gz\n`
        : `${jsonText({ name, ...written })}\n`,
    )
    const damaged = (await index.runs()).filter(({ badBlocks, isSuspect }) => isSuspect || badBlocks > 0)
    if (damaged.length > 0)
      say(
        `damaged blocks of the index were left out, of ${damaged.map((run) => run.name).join(', ')}: \`fonds doctor\` says what is lost, and what helps`,
      )
  } finally {
    progress.done()
  }
  return undefined
}

/** Runs may have lines, and none that holds. */
const hasLines = async (index: CaptureIndex): Promise<boolean> => {
  for await (const batch of index.scan({})) if (batch.length > 0) return true
  return false
}
