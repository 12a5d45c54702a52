import * as E from 'fp-ts/lib/Either.js'
import { FileName, RepositoryName } from '../../../domain/indexing/file.ts'
import { files } from '../../../domain/indexing/views.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import { question } from '../../runtime/question.ts'
import { indexing } from '../projection.ts'
import { WhyAnswer } from './answers.ts'
import { whyOf } from './why.ts'

const hint = '`fonds indexing files` lists those that are known; has a list shown it yet?'

export const whyQuestion = question({
  name: 'why',
  path: 'indexing/files/{name}/why',
  operationId: 'whyIndexing',
  summary: 'Whether what a file holds can be found: since when, and if not, why not.',
  projection: indexing,
  past: 'views',
  input: {
    name: {
      says: 'The file, by its name.',
      codec: FileName,
      required: true,
      example: '17-20260131120000-00001.warc.gz',
      argument: 'file',
    },
    repository: {
      says: 'In this repository; needed where several have a file of that name.',
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
  ask: (views, { name, repository }, { now }) => {
    const found = rows(views, files, {
      where: [is('name', name), ...(repository === undefined ? [] : [is('repository', repository)])],
    })
    const [row, other] = found
    if (!row)
      return E.left({
        code: 'no-such-file' as const,
        message: `no file ${name} is known`,
        path: 'name',
        ids: [name],
        hint,
      })
    if (other)
      return E.left({
        code: 'several-files' as const,
        message: `several repositories have a file ${name}: say which (${found.map((one) => one.repository).join(', ')})`,
        path: 'repository',
      })
    return E.right(whyOf(row, now))
  },
  show: ({ repository, name, state, findable, since, reasons }) => [
    `${repository}/${name} is ${state}, and ${findable ? 'can' : 'cannot'} be found${since === null ? '' : `, since ${since}`}`,
    ...reasons.map((reason) => `  ${reason}`),
  ],
  examples: [['why 17-20260131120000-00001.warc.gz', 'what it waits for, and what to do']],
})
