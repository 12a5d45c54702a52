import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { type OpenFile, openFile } from '../../../../src/workers/http/serving/open-file.ts'
import { temporaryFolder } from '../../indexing/temporary-folder.ts'
import { cannotTell, isOpen } from './is-open.ts'

const content = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => i % 251))

const useFile = (): string => {
  const path = join(temporaryFolder(), 'a.warc')
  writeFileSync(path, content)
  return path
}

const mustOpen = async (location: string): Promise<OpenFile> => {
  const file = await openFile(location)
  if (E.isLeft(file)) throw new Error(file.left)
  return file.right
}

describe('a file that is served', () => {
  it('gives the bytes of a range, and is closed at their end', async () => {
    const path = useFile()
    const file = await mustOpen(pathToFileURL(path).href)
    expect(file.size).toBe(content.length)
    expect(await buffer(file.bytes({ from: 300_000, to: 900_000 }))).toEqual(
      content.subarray(300_000, 900_001),
    )
    await expect.poll(() => !cannotTell && isOpen(path)).toBe(false)
  })

  it.skipIf(cannotTell)('is closed where nobody takes its bytes any more', async () => {
    const path = useFile()
    const unread = (await mustOpen(path)).bytes({ from: 0, to: content.length - 1 })
    unread.destroy()
    const begun = (await mustOpen(path)).bytes({ from: 0, to: content.length - 1 })
    for await (const _ of begun) break
    await (await mustOpen(path)).close()
    await expect.poll(() => isOpen(path)).toBe(false)
  })

  it('fails where it became shorter, and does not end', async () => {
    const path = useFile()
    const bytes = (await mustOpen(path)).bytes({ from: 0, to: content.length - 1 })
    truncateSync(path, 500_000)
    await expect(buffer(bytes)).rejects.toThrow('the file became shorter')
  })

  it('has another tag when it is another', async () => {
    const path = useFile()
    const tagOf = async () => {
      const file = await mustOpen(path)
      await file.close()
      return file.tag
    }
    const before = await tagOf()
    expect(await tagOf()).toBe(before)
    writeFileSync(path, 'other')
    expect(await tagOf()).not.toBe(before)
  })

  it('says why it cannot be read', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a.warc'))
    execFileSync('mkfifo', [join(folder, 'pipe.warc')])
    expect(await openFile(join(folder, 'pipe.warc'))).toEqual(E.left(expect.stringContaining('is no file')))
    expect(await openFile(join(folder, 'b.warc'))).toEqual(
      E.left(expect.stringContaining('b.warc is not there')),
    )
    expect(await openFile(join(folder, 'a.warc'))).toEqual(E.left(expect.stringContaining('is no file')))
    expect(await openFile('https://host.example/a.warc')).toEqual(
      E.left(expect.stringContaining('is on another server, and is not served from here')),
    )
    expect(await openFile('file://other-host/a.warc')).toEqual(
      E.left(expect.stringContaining('cannot be read')),
    )
  })
})
