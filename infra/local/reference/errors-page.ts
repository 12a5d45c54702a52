import { documented } from '../../../src/api/http/register.ts'
import type { Route } from '../../../src/api/http/route.ts'
import type { ProblemSpec } from '../../../src/app/documents/route-spec.ts'
import { exitCodes } from '../../../src/cli/output/exit-codes.ts'
import { deadLetterReasons, rejections, type Words } from './rejections.ts'
import { code, table } from './table.ts'

/** Advice for clients, by status. */
const todo: Readonly<Record<number, string>> = {
  400: 'Mend the request: `path` names the field, `detail` says what it must be.',
  401: 'Send `Authorization: Bearer <token>`.',
  403: 'Use another token, another topic, or this machine: `detail` says which.',
  404: 'Check the name. `no-item` and `no-step`: ask again in a while.',
  405: 'Use a method that `detail` lists.',
  406: 'Accept a format that `detail` lists.',
  408: 'Send it again.',
  409: 'Read `detail`: it says what stands against it.',
  410: 'Nothing: it was deleted for good.',
  413: 'Send less at a time.',
  415: 'Send the content type that `detail` names.',
  422: 'Ask for less, or otherwise, as `detail` says.',
  431: 'Make the address and the headers shorter.',
  451: 'Nothing: a rule of access refuses it.',
  500: 'Report it, with the log of that request (`X-Request-Id`).',
  502: 'Ask again later: another server fails.',
  503: 'Ask again after `Retry-After`, or in a while.',
  507: 'Make room on the disk, then send it again.',
}

/** Problems that no single route answers with. */
const ofNoRoute: readonly ProblemSpec[] = [
  { status: 404, code: 'no-such-route', description: 'There is no such address.' },
  { status: 404, code: 'no-such-command', description: 'There is no such command.' },
  { status: 405, code: 'no-such-method', description: 'The address takes other methods.' },
]

const byCode = (a: readonly string[], b: readonly string[]): number => (`${a}` < `${b}` ? -1 : 1)

/** Rows of status, code and descriptions, each code once a status. */
const problemRows = (routes: readonly Route[]): readonly (readonly string[])[] => {
  const found = new Map<string, Set<string>>()
  const problems = routes.flatMap(({ spec }) => documented(spec).problems)
  for (const { status, code: name, description } of [...problems, ...ofNoRoute]) {
    if (todo[status] === undefined) throw new Error(`${status}: what is a client to do?`)
    const key = `${status} ${name ?? 'a code of a workflow, below'}`
    found.set(
      key,
      (found.get(key) ?? new Set()).add(description.replace(/^The views of [\w-]+ were/, 'Its views were')),
    )
  }
  return [...found]
    .map(([key, descriptions]) => {
      const [, status = '', name = ''] = /^(\d+) (.*)$/.exec(key) ?? []
      return [status, name.includes(' ') ? name : code(name), [...descriptions].join(' ')]
    })
    .sort(byCode)
}

const wordRows = (words: Readonly<Record<string, Words>>) =>
  Object.entries(words)
    .map(([name, [means, action]]) => [code(name), means, action])
    .sort(byCode)

const exits: Readonly<Record<keyof typeof exitCodes, Words>> = {
  done: ['It is done.', ''],
  refused: [
    'The system said no, or there is nothing of that name. `check`, `verify` and `doctor` found something.',
    'Read the sentence.',
  ],
  usage: ['The command line is wrong.', 'See `--help`.'],
  away: [
    'Something it depends on does not answer.',
    'Run it again once that answers; `fonds doctor` says what.',
  ],
}

/** Codes with their meaning, and what to do. */
export const errorsPage = (routes: readonly Route[]): string => `# Errors

Each error has a code for programs and a sentence for people. The sentence names the field, says what is wrong, and what to do.

- An *invalid message* becomes a dead letter. It never works, however often it is sent.
- A *rejection* is the domain's no. It is an outcome, and can be looked up by the message's id.
- A *failure* is the world's: something does not answer. Fonds waits and tries again.

## Exit codes

${table(
  ['code', 'it means', 'do'],
  Object.entries(exits).map(([name, words]) => [`${exitCodes[name as keyof typeof exitCodes]}`, ...words]),
)}

## HTTP

An error is \`application/problem+json\` (RFC 9457) with \`status\`, \`code\` and \`detail\`. \`GET /api/v1/openapi.json\` lists those of each route.

${table(['status', 'do'], Object.entries(todo))}

${table(['status', 'code', 'it means'], problemRows(routes))}

## Dead letters

\`fonds dead-letters list\` shows them with the reason. \`retry\` puts a message on its topic again, \`discard\` settles it.

${table(['reason', 'it means', 'do'], wordRows(deadLetterReasons))}

## Rejections

Commands (\`fonds do\`, \`POST /api/v1/commands/{command}\`) answer with them. Those of messages are in the view \`rejections\`.
${Object.entries(rejections)
  .map(([name, words]) => `\n### ${name}\n\n${table(['code', 'it means', 'do'], wordRows(words))}\n`)
  .join('')}`
