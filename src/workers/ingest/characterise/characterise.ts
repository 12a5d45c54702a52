import { createReadStream } from 'node:fs'
import { copyFile, open, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from '@fonds/toolbox/disk'
import * as t from 'io-ts'
import { v4 as uuid } from 'uuid'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { FileFormat, type ObjectFile } from '../../../domain/ingest/payload.ts'
import { digestFile } from '../fetch/receive.ts'
import { jsonLine } from '../file-list.ts'
import { StepFailure } from '../steps/step.ts'
import { syncFile, type WorkFolder } from '../work-folder.ts'
import { readAnswer } from './format.ts'
import { type Tool, ToolFailure } from './tool.ts'

export const answersName = 'mrt-characterisation.ndjson'

/** A line of the file of answers, which is stored in the object. */
const Line = t.intersection([
  t.type({ path: t.string, sha256: t.string, tool: t.string, answer: t.unknown }),
  t.partial({ format: FileFormat }),
])
type Line = t.TypeOf<typeof Line>

interface Characterised {
  /** Each with its format, if one was found. */
  readonly files: readonly ObjectFile[]
  /** The file of answers, as a file of the object. */
  readonly answers: ObjectFile
}

/**
 * Runs a tool on each file, and stores its answers in the object, one line per file. Answers of an earlier attempt are
 * reused. Throws `StepFailure` if the tool fails on a file.
 */
export const characterise = async (
  folder: WorkFolder,
  files: readonly ObjectFile[],
  tool: Tool,
  filesAtOnce: number,
  context: TaskContext,
): Promise<Characterised> => {
  await makeFolder(folder.system)
  const place = join(folder.system, answersName)
  await makeOwn(place)
  const formats = await answeredBefore(place, files, tool)
  // A failure aborts the others.
  const failed = new AbortController()
  const each = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) }
  const unasked = files.filter(({ path }) => !formats.has(path))
  const out = await open(place, 'a')
  try {
    let written: Promise<unknown> = Promise.resolve()
    await sideBySide(unasked, filesAtOnce, async ({ path, sha256 }) => {
      each.signal.throwIfAborted()
      try {
        const answer = readAnswer(await tool.ask(join(folder.path, path), each))
        const line: Line = { path, sha256, tool: tool.name, ...answer }
        written = written.then(() => out.appendFile(jsonLine(line)))
        await written
        formats.set(path, answer.format)
      } catch (error) {
        const failure = asStepFailure(error, path, tool)
        failed.abort(failure)
        throw failure
      }
    })
  } catch (error) {
    context.signal.throwIfAborted()
    throw error
  } finally {
    await out.close()
  }
  await syncFile(place)
  const { size, sha256 } = await digestFile(place, [], context)
  return {
    files: files.map((file) => {
      const format = formats.get(file.path)
      return format ? { ...file, format } : file
    }),
    answers: { path: `system/${answersName}`, size, sha256 },
  }
}

/**
 * Replaces a file that has other hard links by a copy: it is appended to in place, and storage may have a link to it.
 */
const makeOwn = async (place: string): Promise<void> => {
  const found = await stat(place).catch(() => undefined)
  if (!found || found.nlink === 1) return
  const copy = `${place}.${uuid()}`
  await copyFile(place, copy)
  await rename(copy, place)
}

const asStepFailure = (error: unknown, path: string, tool: Tool): unknown =>
  error instanceof ToolFailure
    ? new StepFailure(`${path} could not be characterised: ${tool.name} ${error.message}`, { cause: error })
    : error

/** Reads earlier answers of this tool about these very files; truncates the file before the first other line. */
const answeredBefore = async (
  place: string,
  files: readonly ObjectFile[],
  tool: Tool,
): Promise<Map<string, FileFormat | undefined>> => {
  const digests = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const formats = new Map<string, FileFormat | undefined>()
  let end = 0
  try {
    for await (const text of createInterface({ input: createReadStream(place), crlfDelay: 0 })) {
      const line = lineIn(text)
      if (line?.tool !== tool.name || digests.get(line.path) !== line.sha256) break
      formats.set(line.path, line.format)
      end += Buffer.byteLength(text) + 1
    }
    await truncate(place, end)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return formats
}

const lineIn = (text: string): Line | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Line.is(value) ? value : undefined
  } catch {
    return undefined
  }
}
