import { type RouteSpec, routerPath } from '../../app/documents/route-spec.ts'

/** The methods of a path, for the header `Allow`; none where there is no such path. */
export type Allowed = (path: string) => readonly string[]

export const allowedAt = (specs: readonly (RouteSpec & { readonly hasHead: boolean })[]): Allowed => {
  const known = specs.map(({ path, method, hasHead }) => ({
    pattern: new RegExp(
      `^${routerPath(path).replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`,
    ),
    methods: [method.toUpperCase(), ...(hasHead ? ['HEAD'] : [])],
  }))
  return (path) => [...new Set(known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))]
}
