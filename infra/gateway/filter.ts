import { createContext, isContext, Script } from 'node:vm'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { EventRow } from '../event-store/sqlite/event-row.ts'
import { invalid } from './call-failure.ts'
import { dotnetRegex, UnknownRegex } from './dotnet-regex.ts'

/** Which events of the log a reader wants. */
export interface Filter {
  /** One answer a row. Throws `CallFailed` when an expression takes too long. */
  passing(rows: readonly EventRow[]): readonly boolean[]
  /** A subscription gets a checkpoint after every so many events that were tested. */
  readonly checkpointEvery: number
}

const maxExpression = 1000
const maxPrefixes = 1000
const defaultWindow = 32

/** A subscription says after how many windows it wants a checkpoint; a read has none. */
export const filterOf = (options: streams.ReadReq.Options.FilterOptions, isSubscription: boolean): Filter => {
  const byStream = options.hasStreamIdentifier()
  const expression = byStream ? options.getStreamIdentifier() : options.getEventType()
  if (!expression) throw invalid(withoutExpression(options))
  const window = options.hasMax() ? options.getMax() : defaultWindow
  const multiplier = options.getCheckpointintervalmultiplier()
  if (window < 1) throw invalid('the search window of the filter is 0: it must be 1 at least')
  if (isSubscription && multiplier < 1)
    throw invalid('the checkpoint interval of the filter is 0: it must be 1 at least')
  const column = byStream ? 1 : 4
  const test = testOf(expression)
  return { passing: (rows) => test(rows.map((row) => row[column])), checkpointEvery: window * multiplier }
}

/** As EventStoreDB says it. */
const withoutExpression = (options: streams.ReadReq.Options.FilterOptions): string => {
  const multiplier = options.getCheckpointintervalmultiplier()
  const given = [
    options.hasMax() ? `"max": ${options.getMax()}` : '"count": { }',
    ...(multiplier > 0 ? [`"checkpointIntervalMultiplier": ${multiplier}`] : []),
  ]
  return `'{ ${given.join(', ')} }' is not a valid EventStore.Client.Streams.ReadReq+Types+Options+Types+FilterOptions`
}

type Test = (names: readonly string[]) => readonly boolean[]

const testOf = (expression: streams.ReadReq.Options.FilterOptions.Expression): Test => {
  const prefixes = expression.getPrefixList()
  if (prefixes.length > maxPrefixes)
    throw invalid(`the filter has ${prefixes.length} prefixes: it may have ${maxPrefixes}`)
  if (prefixes.length > 0)
    return (names) => names.map((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  // EventStoreDB takes it for prefixes, of which there is none.
  if (expression.getRegex() === '') return (names) => names.map(() => false)
  return regexTest(expression.getRegex())
}

/** Milliseconds. */
const maxRunMillis = 100
const maxRemembered = 10_000

/** A regular expression may take exponential time: it runs in a VM context that can be interrupted, once for each name. */
const regexTest = (source: string): Test => {
  if (source.length > maxExpression)
    throw invalid(`the regular expression has ${source.length} characters: it may have ${maxExpression}`)
  const expression = compile(source)
  const known = new Map<string, boolean>()

  const evaluate = (names: readonly string[]): void => {
    try {
      const found = interruptible(expression, names)
      names.forEach((name, i) => {
        known.set(name, found[i] === true)
      })
    } catch {
      throw invalid(`the regular expression takes too long, make it simpler: ${source}`)
    }
  }

  return (names) => {
    if (known.size > maxRemembered) known.clear()
    const unknown = [...new Set(names)].filter((name) => !known.has(name))
    if (unknown.length > 0) evaluate(unknown)
    return names.map((name) => known.get(name) === true)
  }
}

interface Sandbox {
  expression: RegExp | undefined
  names: readonly string[]
}
const sandbox: Sandbox = { expression: undefined, names: [] }
const script = new Script('names.map((name) => expression.test(name))')

/** Throws when the time is up. Only CPU time counts: on a busy machine any expression may take long. */
const interruptible = (expression: RegExp, names: readonly string[]): readonly boolean[] => {
  Object.assign(sandbox, { expression, names })
  if (!isContext(sandbox)) createContext(sandbox)
  const start = cpuMillis()
  for (;;) {
    try {
      return script.runInContext(sandbox, { timeout: maxRunMillis })
    } catch (error) {
      if (cpuMillis() - start >= maxRunMillis) throw error
    }
  }
}

const cpuMillis = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const compile = (source: string): RegExp => {
  try {
    return dotnetRegex(source)
  } catch (error) {
    const what = error instanceof UnknownRegex ? `it has ${error.message}` : (error as Error).message
    throw invalid(`the filter's regular expression cannot be used here (${what}): ${source}`)
  }
}
