import { neededFor, routerPath } from '../../app/documents/route-spec.ts'
import type { NeededAt } from './guard.ts'
import type { Route } from './route.ts'

/** Looks up what a route needs. The files of the page are open: they hold no answers. */
export const neededAt = (
  routes: readonly Route[],
  files: ReadonlyMap<string, unknown> | undefined,
): NeededAt => {
  const needed = new Map<string, ReturnType<NeededAt>>()
  for (const { spec } of routes)
    for (const path of [spec.path, spec.formerPath])
      if (path !== undefined) needed.set(keyOf(spec.method.toUpperCase(), routerPath(path)), neededFor(spec))
  for (const path of files?.keys() ?? []) needed.set(keyOf('GET', path), 'open')
  return (method, path) => (path === undefined ? undefined : needed.get(keyOf(method, path)))
}

const keyOf = (method: string, path: string): string => `${method} ${path}`
