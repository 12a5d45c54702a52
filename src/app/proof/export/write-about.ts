import { writeFile } from 'node:fs/promises'
import { policyOf } from '../policy.ts'
import type { ExportParts } from './export-parts.ts'
import { type AboutExport, exportReadme } from './readme.ts'

interface About {
  /** For the programs that check it. */
  readonly scope: object
  readonly readme: AboutExport
}

/** Writes all of an export that is neither an event nor a part of the tree. */
export const writeAbout = async (
  folder: string,
  {
    head,
    verifiers,
    witnesses,
    programs,
  }: Pick<ExportParts, 'head' | 'verifiers' | 'witnesses' | 'programs'>,
  { scope, readme }: About,
): Promise<void> => {
  for (const [name, text] of Object.entries({
    checkpoint: head,
    'export.json': `${JSON.stringify(scope)}\n`,
    policy: policyOf(verifiers, witnesses),
    'README.md': exportReadme(readme),
    ...programs,
  }))
    await writeFile(`${folder}/${name}`, text, { flush: true })
}
