import { expect, it } from 'vitest'
import { defaultConfig } from '#src/app/config/settings.ts'
import { workflows } from '#src/workflows/all.ts'

/* A backup is copied over an empty home: two of a name would overwrite each other, or the log. */
it('the files that workflows keep have names of their own in a backup', () => {
  const kept = workflows.flatMap((workflow) => workflow.kept?.(defaultConfig('/home')) ?? [])
  const names = kept.map(({ name }) => name)
  expect(names).toEqual(['index', 'drop', 'site', 'storage', 'clips', 'personal.db', 'personal'])
  expect(new Set([...names, 'fonds.db', 'backup.json', 'SHA256SUMS']).size).toBe(names.length + 3)
})
