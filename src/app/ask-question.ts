import type { Either } from 'fp-ts/lib/Either.js'
import type { Point, ViewStore } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { About, AskedOf, Asking, Question, QuestionRejection } from '../projections/runtime/question.ts'
import type { ReadHome } from '../workflows/workflow-model.ts'
import type { Home } from './system.ts'

/** A question with its input, as its fields' codecs have read it. */
export interface Asked {
  readonly input: Readonly<Record<string, unknown>>
  /** `words`: as it was asked for. */
  readonly asOf: { readonly point: Point; readonly words: string } | undefined
  readonly signal: AbortSignal
  readonly isShared: boolean
}

/** Where views come from. Those as of a moment are closed when `use` has ended. `E`: why there are none. */
export interface ViewSource<E> {
  present<A>(projection: Projection, use: (views: ViewStore) => Promise<Either<E, A>>): Promise<Either<E, A>>
  asOf<A>(
    projection: Projection,
    point: Point,
    use: (views: ViewStore) => Promise<Either<E, A>>,
  ): Promise<Either<E, A>>
}

/** Makes of an answer what the client gets. */
export type Render<E, A> = (
  answer: Either<QuestionRejection, unknown>,
  about: About<Asked['input']>,
) => Promise<Either<E, A>>

/** Asks, and renders the answer while its views are open. */
export const askQuestion = <E, A>(
  system: Pick<
    Home,
    | 'eventStore'
    | 'snapshots'
    | 'clock'
    | 'config'
    | 'settings'
    | 'people'
    | 'personal'
    | 'adapters'
    | 'telemetry'
    | 'workflows'
  >,
  source: ViewSource<E>,
  question: Question,
  { input, asOf, signal, isShared }: Asked,
  render: Render<E, A>,
): Promise<Either<E, A>> => {
  const { eventStore, snapshots, clock, settings, people } = system
  const { projection, history } = question
  const ask = async (given: ViewStore): Promise<Either<E, A>> => {
    const now = clock.now()
    const views =
      system.config.personalValues === 'off'
        ? given
        : await withReferences(system, given, Object.values(input))
    const asking: Asking = {
      now: asOf && history === 'views' ? timeOf(views, projection, asOf.point, now) : now,
      ...(asOf && { asOf: asOf.point }),
      ...{ eventStore, snapshots, signal, isShared },
      of: askedOf(system),
      ...{ settings, people },
    }
    const about = { input, views, ...(asOf && { asOf: asOf.words }) }
    return render(await question.ask(views, input, asking), about)
  }
  return asOf && history === 'views'
    ? source.asOf(projection, asOf.point, ask)
    : source.present(projection, ask)
}

const withReferences = async (
  system: Pick<Home, 'config' | 'personal'>,
  views: ViewStore,
  texts: readonly unknown[],
): Promise<ViewStore> => {
  const { referencesOf, seeingReferences } = await import('./by-reference.ts')
  return seeingReferences(views, await referencesOf(system, texts))
}

/** Each workflow's own. */
export const askedOf = (home: ReadHome & Pick<Home, 'workflows'>): AskedOf =>
  Object.assign({}, ...home.workflows.map(({ asked }) => asked?.(home)))

/** A position stands for the time of the last event up to it. */
const timeOf = (views: ViewStore, { name }: Projection, point: Point, now: string): string => {
  if ('time' in point) return point.time
  const live = views.live(name)
  return (live && views.checkpoint(live).time) ?? now
}

/** Why there is no answer. A 404 as of a moment says as of when: what was missing then may be there now. */
export const messageOf = (
  { rejections }: Question,
  { code, message }: QuestionRejection,
  asOf: string | undefined,
): string =>
  asOf !== undefined && rejections?.[code]?.status === 404 ? `as of ${asOf}: ${message}` : message
