import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { readConfig } from '../../src/app/config/config.ts'
import { openSystem } from '../../src/open-system.ts'
import { docs, referencePages } from './reference/pages.ts'

/* Writes the pages of docs that are made from the declarations: npm run reference */

const home = mkdtempSync(join(tmpdir(), 'fonds-reference-'))
const config = readConfig({ home, logLevel: 'silent' }, {})
if (isLeft(config)) throw new Error(config.left.join('; '))
const system = await openSystem(config.right)
try {
  for (const [name, page] of Object.entries(await referencePages(system)))
    writeFileSync(join(docs, name), page)
} finally {
  await system.close()
  rmSync(home, { recursive: true, force: true })
}
