import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { resolutions } from '#src/domain/fixity/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { folderOf, shown, started, testSystem } from '../../app/archive.ts'

const by = { actor: 'ada', reason: 'seen on the shelf' }
const signal = new AbortController().signal
const check = (system: System) => checkNow(system, {}, { actor: 'ada', wait: true, signal }, () => {})
const resolve = (system: System, input: object) =>
  askCommand(system, 'fixity.resolve', { how: 'lost', ...input }, by)

/** Stores of which `a.txt` is missing, each with an open finding about it. */
const withFindings = async (...names: readonly string[]) => {
  const system = await testSystem()
  for (const store of names) {
    const root = await folderOf({ 'a.txt': 'A', 'b.txt': 'B' })
    await addFolder(system, root, { store, actor: 'ada' }, () => {}, signal)
    await rm(join(root, 'a.txt'))
  }
  await check(system)
  const running = await started(system, ['projections'])
  const statuses = async () => {
    await shown(system, running)
    return rows(system.viewStore, resolutions).map(({ store, status }) => [store, status])
  }
  return { system, statuses }
}

describe('settling a finding by its path', () => {
  it('takes the one that is open, and the log names it', async () => {
    const { system, statuses } = await withFindings('main')
    await resolve(system, { path: 'a.txt' })
    expect(await statuses()).toEqual([['main', 'closed']])
    await expect(resolve(system, { path: 'a.txt' })).rejects.toThrow('no finding about a.txt is open')
  })

  it('takes the id of its item, too, which search and streams show', async () => {
    const { system, statuses } = await withFindings('main', 'other')
    await resolve(system, { path: 'other/a.txt' })
    expect(await statuses()).toEqual([
      ['main', 'open'],
      ['other', 'closed'],
    ])
    await expect(resolve(system, { path: 'other/b.txt' })).rejects.toThrow(
      'no finding about other/b.txt is open',
    )
  })

  it('is refused where none is open, with the list to look at', async () => {
    const { system, statuses } = await withFindings('main')
    await expect(resolve(system, { store: 'main', path: 'b.txt' })).rejects.toThrow(
      'no finding about b.txt is open in store main; `fonds fixity findings`',
    )
    expect(await statuses()).toEqual([['main', 'open']])
  })

  it('is refused where several are open, and names each', async () => {
    const { system, statuses } = await withFindings('main', 'other')
    await expect(resolve(system, { path: 'a.txt' })).rejects.toThrow(
      /2 findings about a\.txt are open; name one: store=main resolution=\S+, store=other resolution=\S+$/,
    )
    await resolve(system, { path: 'a.txt', store: 'other' })
    expect(await statuses()).toEqual([
      ['main', 'open'],
      ['other', 'closed'],
    ])
  })
})

describe('giving a finding to somebody, by its path', () => {
  const assign = (system: System, input: object) => askCommand(system, 'fixity.assign', input, by)
  const assignees = ({ viewStore }: System) => rows(viewStore, resolutions).map(({ assignee }) => assignee)

  it('is shown in the view, is refused for what is no address, and can be taken back', async () => {
    const { system, statuses } = await withFindings('main')
    await assign(system, { path: 'a.txt', to: 'ada@archive.example' })
    await statuses()
    const [ada] = await orThrow(system.people.withMail('ada@archive.example'))
    expect(assignees(system)).toEqual([ada?.reference])
    await expect(assign(system, { path: 'a.txt', to: 'ada' })).rejects.toThrow(
      'mail address, reference of a person, or nobody',
    )
    await assign(system, { path: 'a.txt', to: 'nobody' })
    await statuses()
    expect(assignees(system)).toEqual([null])
    await expect(assign(system, { path: 'b.txt', to: 'ada@archive.example' })).rejects.toThrow(
      'no finding about',
    )
  })
})
