import { describe, expect, it } from 'vitest'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { items } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { misreadQuestion } from '#src/projections/fixity/questions/misread-question.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

const by = { actor: 'ada', reason: 'read by an earlier version' }
const signal = new AbortController().signal
const checksums = [{ algorithm: 'md5', value: '2c1743a391305fbf367df8e4f069f9f9' }]

const misread = [
  { path: '.\\sub\\b.txt', misread: 'backslash-name', file: 'sub/b.txt' },
  { path: '50%.txt', misread: 'percent', file: '50%25.txt' },
  { path: 'a.txt\r2c1743a391305fbf367df8e4f069f9f9  sub/b.txt\r', misread: 'cr-line-ends', file: 'a.txt' },
  { path: 'film', misread: 'lone-digest', file: 'film.mov' },
  { path: '\uFEFFa.txt', misread: 'bom', file: 'a.txt' },
]

/** An archive in which an earlier version recorded names that never were, beside one that is gone. */
const archive = async () => {
  const system = await testSystem()
  const root = await folderOf({ 'a.txt': 'A', 'sub/b.txt': 'B', '50%25.txt': 'P', 'film.mov': 'F' })
  await addFolder(system, root, { store: 'main', actor: 'ada' }, () => {}, signal)
  const recorded = [...misread.map(({ path }) => path), 'gone.txt'].map((path) => ({
    type: 'content.recorded',
    data: { store: 'main', path, checksums },
  }))
  await reportOnTopic(system, contentTopic, 'fonds://test', recorded)
  const check = () => checkNow(system, {}, { actor: 'ada', wait: false, signal }, () => {})
  await check()
  const found = async () => {
    const answer = await misreadQuestion.ask(system.viewStore, { store: 'main', limit: 1000 }, {
      now: system.clock.now(),
    } as never)
    return (answer as { right: { items: readonly { path: string }[] } }).right.items
  }
  const stateOf = (path: string) =>
    rows(system.viewStore, items, { where: [is('store', 'main'), is('path', path)] })[0]?.state
  return { system, check, found, stateOf }
}

describe('items of misread names', () => {
  it('are found with the file that was meant; what is gone is none of them', async () => {
    const { found } = await archive()
    expect(await found()).toEqual(misread.map((one) => ({ store: 'main', ...one })))
  })

  it('are taken back: the reading stays with the event, the finding is closed, and the item withdrawn', async () => {
    const { system, check, found, stateOf } = await archive()
    for (const one of await found()) await askCommand(system, 'fixity.withdraw-misread', one, by)
    await check()
    expect(await found()).toEqual([])
    for (const { path } of misread) expect([path, stateOf(path)]).toEqual([path, 'withdrawn'])
    expect(stateOf('gone.txt')).toBe('failed')
    const open = system.viewStore.query('fixity-resolutions', { where: [is('status', 'open')] })
    expect(open).toMatchObject([{ path: 'gone.txt' }])
  })

  it('are none that a check has verified', async () => {
    const { system, stateOf } = await archive()
    const asked = { store: 'main', path: 'a.txt', misread: 'bom' }
    await expect(askCommand(system, 'fixity.withdraw-misread', asked, by)).rejects.toThrow(
      'a check has seen main/a.txt',
    )
    expect(stateOf('a.txt')).toBe('baselined')
  })
})
