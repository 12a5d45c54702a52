import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The program that checks an export, for those who have none of ours. */
export const verifierProgram = (): Promise<string> => readFile(join(import.meta.dirname, 'verify.py'), 'utf8')
