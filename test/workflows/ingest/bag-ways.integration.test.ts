import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { SubmissionType } from '#src/domain/ingest/payload.ts'
import type { SubmittedPayload } from '#src/domain/ingest/submission.ts'
import { type FilledIn, fillIn, SubmissionFields } from '#src/domain/ingest/submission-form.ts'
import { readFileList } from '#src/workers/ingest/file-list.ts'
import { typeOfFolder } from '#src/workers/ingest/payload/type-of-folder.ts'
import { openDrop } from '#src/workers/ingest/submit/drop-area.ts'
import { payloadOf } from '#src/workers/ingest/submit/form-payload.ts'
import { objectionTo } from '#src/workers/ingest/submit/objections.ts'
import { useFonds } from '../../cli/fonds.ts'
import { submitted } from '../../ingest-submitted.ts'
import { stepsWorld } from '../../workers/ingest/steps-world.ts'
import { tarOf } from '../../workers/ingest/tar-file.ts'
import { zipOf } from '../../workers/ingest/zip-file.ts'
import { sha256, testFolder } from './ingest-world.ts'

const fonds = useFonds()

type Files = Readonly<Record<string, string>>

const bag: Files = {
  'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
  'data/a.txt': 'alpha\n',
  'manifest-sha256.txt': `${sha256('alpha\n')}  data/a.txt\n`,
}
const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
const finder = { '__MACOSX/._b': 'x', '__MACOSX/b/data/._a.txt': 'x', '.DS_Store': 'x' }
const zip = (files: Files) =>
  zipOf(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))
const tar = (files: Files) => tarOf(Object.entries(files).map(([name, bytes]) => ({ name, bytes })))

const isWhole = Object.keys(bag).sort()
const isLeftOut = /^what lies beside the bag "b\/" is not kept: .*"\.DS_Store"/

/** What comes, and what is to become of it: the bag's files, or the reason. */
type Shape = [string, Files | (() => Promise<Buffer>), readonly string[] | RegExp, RegExp?]

const shapes: readonly Shape[] = [
  ['a folder that is the bag', bag, isWhole],
  ['a folder with the folder of the bag in it', below('b', bag), isWhole],
  ["the same, and what the Mac's Finder puts there", { ...finder, ...below('b', bag) }, isWhole, isLeftOut],
  [
    'a folder with the bag and another file',
    { 'c.txt': 'x', ...below('b', bag) },
    /the bag "b\/" is not alone: beside it lies "c.txt"/,
  ],
  ['a folder with two bags', { ...below('b', bag), ...below('c', bag) }, /there are 2 bags, "b\/"; "c\/"/],
  [
    'a folder with two containers',
    { 'a.zip': 'x', 'b.zip': 'x' },
    /there is no bagit.txt, but 2 containers, "a.zip"; "b.zip": a container is a submission of its own/,
  ],
  ['b.zip with the folder of the bag', async () => zip(below('b', bag)), isWhole],
  ['b.zip of the bag without its folder', async () => zip(bag), isWhole],
  ['b.zip of the Finder', async () => zip({ ...below('b', bag), ...finder }), isWhole, isLeftOut],
  [
    'b.zip with the bag and another file',
    async () => zip({ 'c.txt': 'x', ...below('b', bag) }),
    /the bag "b\/" is not alone: beside it lies "c.txt"/,
  ],
  ['b.tar', async () => tar(below('b', bag)), isWhole],
  ['b.tgz', async () => gzipSync(await tar(below('b', bag))), isWhole],
  ['b.zip without a bag', async () => zip({ 'a.txt': 'x' }), /it is no valid bag: there is no bagit.txt/],
]

interface Brought {
  /** Path of the folder or the container. */
  readonly path: string
  readonly files: Files | Buffer
  readonly type: 'bag' | undefined
}

const typeFlag = ({ type }: Brought) => (type === undefined ? [] : ['--type', type])

const byCommand = async (what: string, brought: Brought): Promise<SubmittedPayload> => {
  const { code, err } = await fonds.run(['ingest', 'submit', what, ...typeFlag(brought)])
  expect([code, err]).toEqual([0, expect.any(String)])
  return (await fonds.withSystem(submitted)).at(-1)!.payload
}

const filledIn = (fields: Readonly<Record<string, string | undefined>>): FilledIn =>
  Object.entries(fields).reduce<FilledIn>((filled, [name, text]) => {
    const next = text === undefined ? undefined : fillIn(filled, name, text)
    if (next && isLeft(next)) throw new Error(next.left.message)
    return next && isRight(next) ? next.right : filled
  }, {})

type Way = (brought: Brought) => Promise<SubmittedPayload>

const ways: Readonly<Record<'path' | 'address' | 'json' | 'form', Way>> = {
  path: (brought) => byCommand(brought.path, brought),
  address: (brought) => byCommand(pathToFileURL(brought.path).href, brought),
  json: async ({ path, type }) => ({
    url: pathToFileURL(path).href,
    ...(type && { type }),
  }),
  form: async ({ path, files, type }) => {
    const home = testFolder()
    const batch = crypto.randomUUID()
    await using drop = await openDrop(home, batch, { files: 100, bytes: 1_000_000 })
    const parts = Buffer.isBuffer(files) ? { [path.slice(path.lastIndexOf('/') + 1)]: files } : files
    for (const [name, bytes] of Object.entries(parts))
      await drop.write(name, Readable.from([Buffer.from(bytes)]))
    const payload = await payloadOf(filledIn({ type }), drop)
    if (isLeft(payload)) throw new Error(payload.left.message)
    await drop.keep()
    return payload.right
  },
}

const broughtAs = async (shape: Shape, type: 'bag' | undefined): Promise<Brought> => {
  const [name, content] = shape
  const folder = testFolder()
  if (typeof content === 'function') {
    const bytes = await content()
    const path = join(folder, name.split(' ')[0]!)
    writeFileSync(path, bytes)
    return { path, files: bytes, type }
  }
  const path = join(folder, 'given')
  for (const [file, text] of Object.entries(content)) {
    mkdirSync(join(path, dirname(file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  return { path, files: content, type }
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** The type, and the files in the work folder, or the reason of the failure. */
const outcome = async (payload: SubmittedPayload) => {
  expect(objectionTo({ profile: 'p', submitter: 's', mode: 'add', payload })).toBeUndefined()
  const type = payload.type ?? (await typeOfFolder(new URL(payload.url).pathname))
  const world = await stepsWorld({ ...payload, type })
  const failed = await world.claim('downloading').then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (failed !== undefined) return { type, failed }
  const list = await readFileList(world.workFolder().producerFiles)
  const warnings = list?.head.flatMap((head) => (head as { warnings: string[] }).warnings)
  return { type, files: list?.files.map(({ path }) => path), warnings: warnings ?? [] }
}

/** A form is refused at once where its names tell that there is no bag. */
const refused = ({ message }: Error) => ({ type: 'bag', failed: message })

describe('X13 a bag', () => {
  it.each(shapes)('is the same whichever way it comes: %s', async (...shape: Shape) => {
    const [, , right, warning] = shape
    const brought = await broughtAs(shape, 'bag')
    const [json, ...byHand] = await Promise.all(
      (['json', 'path', 'address'] as const).map((way) => ways[way](brought)),
    )
    for (const { url, type } of byHand) expect({ url: withoutSlash(url), type }).toEqual(json)
    for (const found of [await outcome(json!), await ways.form(brought).then(outcome, refused)])
      expect(found).toEqual(
        right instanceof RegExp
          ? { type: 'bag', failed: expect.stringMatching(right) }
          : {
              type: 'bag',
              files: right,
              warnings: warning === undefined ? [] : [expect.stringMatching(warning)],
            },
      )
  })

  it.each(shapes.filter(([, content]) => typeof content !== 'function'))(
    'is found out without a type, whichever way it comes: %s',
    async (...shape: Shape) => {
      const right = shape[2] instanceof RegExp ? 'folder' : 'bag'
      const brought = await broughtAs(shape, undefined)
      for (const way of Object.values(ways)) {
        const { url, type } = await way(brought)
        expect(type ?? (await typeOfFolder(new URL(url).pathname))).toBe(right)
      }
    },
  )
})

describe('an address without an ending', () => {
  const url = 'https://host.example/download?id=7'

  it.each(['bag', 'container'] as const)(
    'of a %s is refused, and the refusal says what names it',
    async (type) => {
      const of = (payload: SubmittedPayload) =>
        objectionTo({ profile: 'p', submitter: 's', mode: 'add', payload })
      expect(of({ url, type })).toEqual({
        path: 'payload.name',
        message: expect.stringMatching(
          /^"download" does not end as a container does; .*field `name`; `filename` of a form, --name/,
        ),
      })
      expect(of({ url, type, name: 'b.zip' })).toBeUndefined()
      expect(await fonds.run(['ingest', 'submit', url, '--type', type])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--name'),
      })
      expect(await fonds.run(['ingest', 'submit', url, '--type', type, '--name', 'b.zip'])).toMatchObject({
        code: 0,
      })
      expect((await fonds.withSystem(submitted)).at(-1)?.payload).toEqual({ url, type, name: 'b.zip' })
    },
  )

  it('a file of this machine is named as well, a folder is not', async () => {
    const path = fonds.file('download', zip(bag))
    expect(await fonds.run(['ingest', 'submit', path, '--type', 'bag'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not end as a container does'),
    })
    expect(await fonds.run(['ingest', 'submit', path, '--type', 'bag', '--name', 'b.zip'])).toMatchObject({
      code: 0,
    })
    expect((await outcome((await fonds.withSystem(submitted)).at(-1)!.payload)).files).toEqual(isWhole)
    expect(await fonds.run(['ingest', 'submit', fonds.folder, '--name', 'b.zip'])).toMatchObject({ code: 2 })
  })
})

describe('the types of a payload', () => {
  const types = Object.keys(SubmissionType.keys)
  const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

  it('are those of the docs, of a form, of the page and of the command line', async () => {
    const rows = [
      ...text('docs/ingest.md').matchAll(/^\| `([a-z-]+)` \| .* \| (?:1|one a (?:row|file|folder)) \|$/gm),
    ]
    expect(rows.map(([, type]) => type).sort()).toEqual([...types].sort())
    const page = [...text('dashboard/src/pages/ingest/submit.tsx').matchAll(/<option value="([a-z-]+)">/g)]
    const fields = page.map(([, value]) => value!).filter((value) => !['add', 'update'].includes(value))
    expect(fields).toEqual(['each-file', 'each-folder', 'container', 'bag', 'file'])
    for (const type of types) expect(isRight(fillIn({}, 'type', type))).toBe(true)
    expect(SubmissionFields).toBeDefined()
    const { out } = await fonds.run(['ingest', 'submit', '--help'])
    for (const type of types) expect(out).toContain(`"${type}"`)
  })
})
