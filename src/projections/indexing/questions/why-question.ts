import * as E from 'fp-ts/lib/Either.js'
import { fileOf, RepositoryName } from '../../../domain/indexing/file.ts'
import { files } from '../../../domain/indexing/views.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { question } from '../../runtime/question.ts'
import { indexing } from '../projection.ts'
import { WhyAnswer } from './answers.ts'
import { whyOf } from './why.ts'
import { whyUrl } from './why-url.ts'

const hint =
  '`fonds indexing files` lists those that are known; a URL begins with http://, or has a slash. Posted lines are found by their URLs alone'

export const whyQuestion = question({
  name: 'why',
  operationId: 'whyIndexing',
  summary: 'Whether a URL, or what a file holds, can be found: since when, and if not, why not.',
  description:
    'A name of a file that is known means that file, also with its repository (`main/one.warc.gz`). What else has a slash, or begins ' +
    'with a scheme (`dns:example.org`), is a URL.',
  projection: indexing,
  history: 'views',
  input: {
    of: {
      description: 'The file, by its name, or the URL.',
      codec: Text,
      required: true,
      example: 'http://example.org/',
      argument: 'file|url',
    },
    repository: {
      description: 'The file of this repository; needed where several have one of that name.',
      codec: RepositoryName,
      value: 'name',
    },
  },
  answer: WhyAnswer,
  returns: 'The reasons, in sentences.',
  schemaName: 'WhyIndexing',
  rejections: {
    'no-such-file': { status: 404, description: 'No such file is known.', dated: 'command-line' },
    'several-files': { status: 409, description: 'Several repositories have a file of that name.' },
  },
  ask: async (views, { of, repository }, asking) => {
    const found = filesNamed(views, of, repository)
    const [row, other] = found
    if (other)
      return E.left({
        code: 'several-files' as const,
        message: `several repositories have a file ${of}: say which (${found.map((one) => one.repository).join(', ')})`,
        path: 'repository',
      })
    // About the past, the views alone answer.
    if (row)
      return E.right(whyOf(row, asking.now, asking.asOf ? undefined : await asking.of.indexing.indexPlace()))
    if (repository === undefined && isUrl.test(of)) return E.right(await whyUrl(views, of, asking))
    return E.left({
      code: 'no-such-file' as const,
      message: `no file ${of} is known`,
      path: 'of',
      ids: [of],
      hint,
    })
  },
  show: (answer) => {
    const { findable, since, reasons } = answer
    const begins =
      'url' in answer ? answer.url : `${answer.repository}/${answer.name} is ${answer.state}, and`
    return [
      `${begins} ${findable ? 'can' : 'cannot'} be found${since === null ? '' : `, since ${since}`}`,
      ...reasons.map((reason) => `  ${reason}`),
    ]
  },
  examples: [
    ['why 17-20260131120000-00001.warc.gz', 'what it waits for, and what to do'],
    ['why http://example.org/', 'since when it can be found, from which files; or why it cannot'],
  ],
})

const isUrl = /\/|^[a-z][a-z0-9+.-]*:/i

const filesNamed = (views: ViewStore, of: string, repository: string | undefined) => {
  const inRepository = repository === undefined ? [] : [is('repository', repository)]
  const named = rows(views, files, { where: [is('name', of), ...inRepository] })
  if (named.length > 0 || !of.includes('/')) return named
  const file = fileOf(of)
  return rows(views, files, {
    where: [is('repository', file.repository), is('name', file.name), ...inRepository],
  })
}
