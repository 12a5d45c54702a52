import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: (name) => /node_modules|^dashboard\/dist/.test(name) })

const pages = files('*.md', 'docs/**/*.md', 'packages/**/*.md', 'dashboard/*.md')
const code = files('{src,infra,test,bench,dashboard/src}/**/*.{ts,tsx,yaml}', 'NOTICE').filter(
  (file) => file !== 'test/docs/links.test.ts',
)

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Returns true if a file, and the heading if an anchor is given, exist. */
const leads = (file: string, anchor: string | undefined): boolean =>
  existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).includes(anchor))

/** Links of a page to files of the repository: path from the root, and anchor. */
const linksIn = (page: string) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#')
      return { target, file: path === '' ? page : normalize(join(dirname(page), path)), anchor }
    })

const isForward = (file: string): boolean => /^Moved: /m.test(read(file))

describe('documentation', () => {
  it('has no link that leads nowhere', () => {
    const links = pages.flatMap((page) => linksIn(page).map((link) => ({ page, ...link })))
    expect(links.length).toBeGreaterThan(150)
    const lost = links.filter(({ file, anchor }) => !leads(file, anchor))
    expect(lost.map(({ page, target }) => `${page}: ${target}`)).toEqual([])
  })

  it('is cited by code where it is now, and never by a page that was moved', () => {
    const cited = [...code, ...pages].flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:, "?([A-Z][\w ]*\w))?/g)].map(
        ([text, heading]) => ({
          ...{ file, text, heading, page: /docs\/[\w/-]+\.md/.exec(text)![0] },
        }),
      ),
    )
    expect(cited.length).toBeGreaterThan(20)
    const lost = cited.filter(
      ({ page, heading }) => !leads(page, heading && anchorOf(heading)) || isForward(page),
    )
    expect(lost.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  it('is listed in its index, each page once', () => {
    const listed = linksIn('docs/README.md').map(({ file }) => file)
    const kept = files('docs/**/*.md').filter((page) => page !== 'docs/README.md' && !isForward(page))
    expect([...listed].sort()).toEqual(kept.sort())
  })

  it('keeps the names that were cited before it was parted', () => {
    const before = ['architecture', 'folding-thread', 'licences', 'operations', 'page']
    for (const name of before) expect(isForward(`docs/${name}.md`), name).toBe(true)
    expect(anchorsOf('docs/operations.md')).toEqual(
      expect.arrayContaining(['on-servers', 'secure', 'behind-a-proxy', 'back-up-and-restore', 'settings']),
    )
  })
})
