import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, run, startServer, until, useFolder } from '../run-fonds.ts'
import { submitFile } from './submitting.ts'

/* Ingest and fixity never met: they know the same bytes by where these lie. */

interface Told {
  readonly related: readonly { readonly id: string; readonly says: string }[]
  readonly events: readonly { readonly type: string }[]
}

it('an object leads to its files as fixity checks them, and each of these to the object', async () => {
  const { home, root } = useFolder()
  writeFileSync(join(root, 'letter.txt'), 'Dear reader')
  const { address } = await startServer({ home, env: { FONDS_INGEST_FOLDERS: root } })
  const batch = await submitFile(address, { url: `file://${join(root, 'letter.txt')}` })
  const object = await until('the object is stored', async () => {
    const query = ['query', 'ingest-jobs', '--where', `batch=${batch}`, '--where', 'state=completed']
    const [job] = await ask(query, { home })
    return job?.ark as string | undefined
  })
  const told = async (id: string): Promise<Told> => {
    const answer = await fetch(`${address}/api/v1/history/${encodeURIComponent(id)}?related=true&limit=1000`)
    return (await answer.json()) as Told
  }
  expect((await told(object)).related.filter(({ says }) => says.includes('fixity'))).toEqual([])

  const added = await run(['fixity', 'add', join(home, 'storage'), '--store', 'objects', '--actor', 'ada'], {
    home,
  })
  expect(added.code).toBe(0)
  const { related, events } = await until('all its files are known', async () => {
    const now = await told(object)
    return now.related.some(({ id }) => id.endsWith('/v1/inventory.json.sha256')) ? now : undefined
  })
  const letter = related.find(({ id }) => id.endsWith('/v1/content/producer/letter.txt'))
  expect(letter).toEqual({
    id: expect.stringMatching(/^objects\/[0-9a-f]{3}\/[0-9a-f]{3}\/[0-9a-f]{3}\/ark%3a/),
    says: 'a file of it, as fixity checks it, in the store objects',
  })
  expect(events.map(({ type }) => type)).toContain('ContentRecorded')
  const back = await told(letter?.id ?? '')
  expect(back.related).toContainEqual({ id: object, says: 'the object that it is a file of' })
})
