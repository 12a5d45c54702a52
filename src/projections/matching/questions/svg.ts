import { Worker } from 'node:worker_threads'
import { oneByOne } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import { SECOND } from '../../../domain/kernel/time.ts'
import { toDot } from './dot.ts'
import { type DrawnGraph, focusOn } from './drawn-graph.ts'

/** Limits of a picture: with more, nobody could read the titles. If layout does not finish, it is drawn with fewer. */
const sizes = [
  { nodes: 150, links: 300 },
  { nodes: 60, links: 120 },
  { nodes: 20, links: 40 },
] as const
const timeoutMillis = 10 * SECOND

/** Graphviz did not finish in time. */
export class TooTangled extends Error {
  override readonly name = 'TooTangled'
}

/**
 * The picture of a component as SVG: of a large one, the works nearest to the one asked for, with the number of those
 * left out. Left: a sentence, if it is too tangled to be drawn.
 */
export const picture = async (
  graph: DrawnGraph,
  work: string,
  asOf?: string,
): Promise<E.Either<string, string>> => {
  let reason = ''
  for (const { nodes, links } of sizes)
    try {
      return E.right(await toSvg(toDot(focusOn(graph, work, nodes, links), asOf)))
    } catch (error) {
      if (!(error instanceof TooTangled)) throw error
      reason = error.message
    }
  return E.left(reason)
}

/**
 * DOT text as SVG, by Graphviz. Layout is pure computation that nothing can interrupt: it runs in a thread of its own,
 * which is terminated after the time-out. Rejects with `TooTangled`.
 */
export const toSvg = (dot: string, timeout: number = timeoutMillis): Promise<string> =>
  oneAtATime(() => draw(dot, timeout))

/** However many pictures are requested at once, they take one processor. */
const oneAtATime = oneByOne()

const threadModule = new URL('./svg-thread.ts', import.meta.url)

const draw = (dot: string, timeout: number): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const thread = new Worker(threadModule, { workerData: dot })
  const timer = setTimeout(() => {
    reject(
      new TooTangled(
        `it is too tangled to be drawn in ${timeout / SECOND} s; ask for fewer works (most), or for dot`,
      ),
    )
    void thread.terminate()
  }, timeout)
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', (code) => reject(new Error(`the thread that draws ended with code ${code}`)))
  return promise.finally(() => clearTimeout(timer))
}
