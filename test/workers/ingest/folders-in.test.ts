import { expect, it } from 'vitest'
import { foldersIn } from '#src/workers/ingest/payload/folders-in.ts'

const context = { signal: new AbortController().signal, progress: () => {} }

/** The folders below `s3://boxes/in/`, where these keys lie, in no order. */
const found = async (...keys: readonly string[]) => {
  const list = async function* (url: string) {
    const prefix = url.slice('s3://boxes/'.length)
    for (const key of keys)
      if (key.startsWith(prefix))
        yield { kind: 'entry', entry: { path: key.slice(prefix.length), size: 1 } } as never
  }
  const folders = []
  const reach = { folders: undefined, fetcher: { list }, announced: async () => undefined }
  for await (const folder of foldersIn('s3://boxes/in/', reach, context)) folders.push(folder)
  return folders
}

it('below a prefix in a bucket, each once, by keys in any order; a bag among them', async () => {
  const folders = await found(
    'in/b 1/x.txt',
    'in/a/1.txt',
    'in/b 1/bagit.txt',
    'in/a/deep/2.txt',
    'out/c/1.txt',
  )
  expect(folders).toEqual([
    { name: 'b 1', url: 's3://boxes/in/b 1/', type: 'bag' },
    { name: 'a', url: 's3://boxes/in/a/', type: 'folder' },
  ])
})

it('refuses a key beside them, but for what file managers leave', async () => {
  expect(await found('in/.DS_Store', 'in/a/1.txt')).toHaveLength(1)
  await expect(found('in/a/1.txt', 'in/list.txt')).rejects.toThrow(/"list.txt" is no folder/)
})
