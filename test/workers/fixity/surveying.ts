import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import createFileSystemStore from '../../../infra/content/file-system/store.ts'
import type { ContentStore } from '../../../src/ports/content-store.ts'
import { type Surveyed, survey } from '../../../src/workers/fixity/survey.ts'

export const hex = (algorithm: string, content: string) => createHash(algorithm).update(content).digest('hex')
export const md5 = (content: string) => hex('md5', content)
export const sha256 = (content: string) => hex('sha256', content)
export const asMd5 = (content: string) => ({ algorithm: 'md5', value: md5(content) })
export const asSha256 = (content: string) => ({ algorithm: 'sha-256', value: sha256(content) })

/** A folder for each test, and what a survey finds in it. */
export const useSurvey = () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fonds-survey-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  return {
    root: () => root,
    write: async (files: Readonly<Record<string, string | Uint8Array>>) => {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(join(root, dirname(path)), { recursive: true })
        await writeFile(join(root, path), content)
      }
    },
    surveyed: async (store: ContentStore = createFileSystemStore(root), prefix?: string) => {
      const all: Surveyed[] = []
      for await (const one of survey(store, prefix)) all.push(one)
      const of = <Kind extends Surveyed['kind']>(kind: Kind) =>
        all.filter((one): one is Extract<Surveyed, { kind: Kind }> => one.kind === kind)
      return {
        recorded: Object.fromEntries(of('recorded').map((one) => [one.path, one])),
        unread: of('unread').map(({ path }) => path),
        missing: of('missing'),
        skipped: of('skipped'),
        bags: of('bag'),
        problems: of('problem').map(
          ({ path, line, reason }) => `${path}${line ? `:${line}` : ''}: ${reason}`,
        ),
      }
    },
  }
}
