import { expect, it } from 'vitest'
import { inGroups } from '../../dashboard/src/pages/log/setting-groups.ts'
import { archiveKeys } from '../../src/app/config/settings.ts'

it('each setting of the archive stands in one group that says what it is about', () => {
  const groups = inGroups(archiveKeys.map((setting) => ({ setting })))
  expect(groups.map(({ title }) => title)).not.toContain('Others')
  const shown = groups.flatMap(({ settings }) => settings.map(({ setting }) => setting))
  expect(shown.toSorted()).toEqual([...archiveKeys].toSorted())
})

it('a setting that no group is for is shown all the same', () => {
  expect(inGroups([{ setting: 'mailed' }])).toEqual([{ title: 'Others', settings: [{ setting: 'mailed' }] }])
})
