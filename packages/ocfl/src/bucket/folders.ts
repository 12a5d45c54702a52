import type { Bucket } from './bucket.ts'

/** Behind all keys below a folder: no character comes later. */
const lastCharacter = '\u{10ffff}'

/**
 * Folders at a depth below a prefix that have a file of a name, in the order of keys; those after `after`, any
 * text. Keys are read page by page; those of a folder that fills a page are passed over. `passing`: folders at the
 * top whose keys are passed over.
 */
export async function* foldersWith(
  bucket: Bucket,
  {
    prefix,
    depth,
    file,
    after,
    passing = [],
  }: {
    readonly prefix: string
    readonly depth: number
    readonly file: string
    readonly after: string
    readonly passing?: readonly string[]
  },
): AsyncGenerator<string> {
  let start: string | undefined = after === '' ? prefix : `${prefix}${after}/${lastCharacter}`
  while (start !== undefined) {
    const from: string = start
    start = undefined
    for await (const page of bucket.list(prefix, from)) {
      const names = page.map(({ key }) => key.slice(prefix.length))
      for (const name of names) {
        const folder = folderAt(name, depth)
        if (folder !== undefined && name === `${folder}/${file}` && !isPassed(folder, passing)) yield folder
      }
      start = whole(names, depth, passing)
      if (start !== undefined) {
        start = `${prefix}${start}/${lastCharacter}`
        break
      }
    }
  }
}

/** The folder that has all names of a page, or the one to pass over that has the last of them. */
const whole = (names: readonly string[], depth: number, passing: readonly string[]): string | undefined => {
  const last = names.at(-1)
  if (last === undefined) return undefined
  const top = last.slice(0, last.indexOf('/'))
  if (passing.includes(top)) return top
  const folder = folderAt(last, depth)
  return folder !== undefined && folder === folderAt(names[0]!, depth) ? folder : undefined
}

const isPassed = (folder: string, passing: readonly string[]): boolean =>
  passing.includes(folder.split('/', 1)[0]!)

/** The first segments of a name; undefined if the file is not so deep. */
const folderAt = (name: string, depth: number): string | undefined => {
  const segments = name.split('/')
  return segments.length > depth ? segments.slice(0, depth).join('/') : undefined
}
