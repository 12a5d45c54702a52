import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const names = ['verify.py', 'verify_statement.py']

/** The programs that check an export, a view's proof and a report, by their names: for those who have none of ours. */
export const verifierPrograms = async (): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(import.meta.dirname, name), 'utf8')] as const),
    ),
  )
