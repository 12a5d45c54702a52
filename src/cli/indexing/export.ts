import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
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
        '<name>.cdx.gz, <name>.idx and <name>.loc. Rules of access do not hold for them.',
    )
    .argument('<folder>', 'where the files are written')
    .option('--name <name>', 'what they are called; none of that name may be there', 'index')
    .action(running(context, exportCommand))
  addExamples(command, [['indexing export /srv/zipnum', "pywb's index_paths names the folder"]])
}

const exportCommand = async (
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
      'whoever reads it now would find other blocks: give another --name',
    )
  const { captureIndex } = await session.system()
  const index = captureIndex()
  const runs = (await index.runs()).filter(({ state }) => state !== 'removed')
  const progress = session.progress('Exporting', {
    total: runs.reduce((sum, { lines }) => sum + lines, 0),
  })
  const { signal, output } = session
  try {
    const written = await index.exportZipNum(into, name, { signal, onLines: progress.advance })
    await output.write(
      output.isTTY
        ? `${plural(written.lines, 'line')} in ${plural(written.blocks, 'block')} of ${join(into, name)}.cdx.gz\n`
        : `${jsonText({ name, ...written })}\n`,
    )
  } finally {
    progress.done()
  }
  return undefined
}
