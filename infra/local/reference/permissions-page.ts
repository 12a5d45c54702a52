import type { Route } from '../../../src/api/http/route.ts'
import { neededFor } from '../../../src/app/documents/route-spec.ts'
import { code, table } from './table.ts'

const commandPath = /^\/api\/v1\/commands\/(.+)$/

/** docs/reference/permissions.md: what each route and each command needs. */
export const permissionsPage = (served: readonly Route[]): string => {
  const routes = served.map(({ spec }) => ({ ...spec, needed: neededFor(spec) ?? 'none is said' }))
  const row = ({ method, path, needed, summary }: (typeof routes)[number]) => [
    needed,
    code(`${method.toUpperCase()} ${path}`),
    summary,
  ]
  const needs = (one: string) => routes.filter(({ needed }) => needed === one)
  const isCommand = ({ path }: { readonly path: string }) => commandPath.test(path)
  const commands = routes.filter(isCommand)
  return `# Permissions

Made from the declarations by \`npm run reference\`. [Sign-in](../guides/sign-in.md) says who has which.

\`read\` shows everything that Fonds knows. \`operate\` includes it, and does the daily work. \`administer\` includes both, and changes how Fonds
works. A token has \`administer\`, the token that may only read has \`read\`. Routes that begin with GET need \`read\`, unless they are listed here.

## Open to all

${table(['needs', 'route', 'does'], needs('open').map(row))}

## Commands

\`POST /api/v1/commands/<command>\`, \`fonds do <command>\`. The command line works on the home itself and asks for no permission.

${table(
  ['needs', 'command', 'does'],
  commands
    .map(({ path, needed, summary }) => [needed, code(commandPath.exec(path)?.[1] ?? ''), summary])
    .sort(byFirst),
)}

## Other routes that write

${table(
  ['needs', 'route', 'does'],
  routes
    .filter((route) => route.method !== 'get' && route.needed !== 'open' && !isCommand(route))
    .map(row)
    .sort(byFirst),
)}
`
}

const byFirst = ([a = '']: readonly string[], [b = '']: readonly string[]): number =>
  a < b ? -1 : a > b ? 1 : 0
