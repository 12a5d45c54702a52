import { describe, expect, test } from 'vitest'
import createFileSystemStore from '../../../infra/content/file-system/store.ts'
import { exclusionOf, readIgnoreFile } from '../../../src/workers/fixity/exclusion.ts'
import { useSurvey } from './surveying.ts'

describe('what is excluded', () => {
  test.each([
    [[], '.DS_Store'],
    [[], 'a/._b.tif'],
    [[], 'a/Thumbs.db'],
    [[], '.Trashes/501/b'],
    [[], '.fondsignore'],
    [['*.tmp'], 'a/b.tmp'],
    [['cache'], 'a/cache/b'],
    [['cache/'], 'cache/b/c'],
    [['a/*.log'], 'a/b.log'],
    [['/a/cache'], 'a/cache/b/c'],
    [['a/**/work'], 'a/b/c/work/d'],
  ])('%j: %s', (patterns, path) => expect(exclusionOf(patterns)(path)).toBe(true))

  test.each([
    [[], 'a/DS_Store'],
    [[], '.htaccess'],
    [[], 'a/.fondsignore'],
    [['*.tmp'], 'a/b.tmp.tif'],
    [['cache'], 'a/cached/b'],
    [['a/*.log'], 'c/a/b.log'],
    [['/b'], 'a/b'],
  ])('but not %j: %s', (patterns, path) => expect(exclusionOf(patterns)(path)).toBe(false))
})

describe('the ignore file', () => {
  const { root, write } = useSurvey()
  const read = () => readIgnoreFile(createFileSystemStore(root()))

  test('a pattern a line, comments and blank lines left out', async () => {
    await write({ '.fondsignore': '# scratch\r\n*.tmp\r\n\n  cache/  \n' })
    expect(await read()).toEqual(['*.tmp', 'cache/'])
  })

  test('none is no pattern', async () => {
    expect(await read()).toEqual([])
  })

  test('what is not understood is refused by its line', async () => {
    await write({ '.fondsignore': '*.tmp\n!keep.tmp\n' })
    await expect(read()).rejects.toThrow('.fondsignore, line 2: !keep.tmp begins with "!"')
  })

  test('one that cannot be read is no empty one', async () => {
    await write({ '.fondsignore/a': '' })
    await expect(read()).rejects.toThrow('.fondsignore cannot be read: is a folder')
  })
})
