import { Worker } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { oneByOne } from '../../../async/one-by-one.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { ComponentAnswer } from './answers.ts'
import { toDot } from './dot.ts'

const maxNodes = 300
const maxLinks = 1000
const timeoutMillis = 20 * SECOND

/** Graphviz did not finish in time. */
export class TooTangled extends Error {
  override readonly name = 'TooTangled'
}

/** The picture of a component as SVG. Left: a sentence, where it is too large or too tangled to be drawn. */
export const picture = async (answer: ComponentAnswer, asOf?: string): Promise<E.Either<string, string>> => {
  const { nodes, links } = answer
  if (nodes.length > maxNodes || links.length > maxLinks)
    return E.left(
      `${nodes.length} works and ${links.length} links are too many for one picture, which takes ${maxNodes} and ` +
        `${maxLinks}; ask for fewer works (most), or for dot, to draw it elsewhere`,
    )
  try {
    return E.right(await toSvg(toDot(answer, asOf)))
  } catch (error) {
    if (!(error instanceof TooTangled)) throw error
    return E.left(error.message)
  }
}

/**
 * DOT text as SVG, by Graphviz. Layout is plain computing that nothing can interrupt: it has a thread of its own, which
 * is terminated after the time-out. Rejects with `TooTangled`.
 */
export const toSvg = (dot: string, timeout: number = timeoutMillis): Promise<string> =>
  oneAtATime(() => draw(dot, timeout))

/** However many are requested at once, they take one processor. */
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
