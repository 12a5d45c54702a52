import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultConfig } from '#src/app/config/settings.ts'
import { writtenFolders } from '#src/cli/doctor/folders.ts'
import { workflows } from '#src/workflows/all.ts'
import { temporaryFolder } from '../../workers/indexing/temporary-folder.ts'

it('lists every folder that Fonds writes to, by disk, with the room there; of those below the home the home alone', () => {
  const [home, storage, index, plain] = Array.from({ length: 4 }, temporaryFolder)
  mkdirSync(join(home!, 'drop'))
  const config = {
    ...defaultConfig(home!),
    home: home!,
    ingestStorage: storage!,
    indexingFolder: index!,
    indexingFiles: join(plain!, 'main.cdx'),
    ingestWork: join(home!, 'not-yet-there'),
  }
  const findings = writtenFolders(config, workflows)
  expect(findings).toHaveLength(1)
  expect(findings[0]?.says).toContain(` free on the disk at `)
  expect(findings[0]?.says.endsWith(`where ${home}, ${index}, ${plain}, ${storage} are`)).toBe(true)
})
