import { fileId, fileOf } from '../../domain/indexing/file.ts'
import { files } from '../../domain/indexing/views.ts'
import { is } from '../../domain/kernel/read-views.ts'
import { beginning, findRows } from '../runtime/find-rows.ts'
import { commandLine, type Finder, pageAt } from '../runtime/finder.ts'
import { capturesFinder } from './capture-finder.ts'
import { indexing } from './projection.ts'

const filesFinder: Finder = {
  kind: 'indexing-files',
  title: 'Archive files',
  projection: indexing,
  find: ({ views }, { text, limit }) => {
    const { repository, name } = fileOf(text)
    return findRows(files, {
      views,
      limit,
      ways: [
        ...(text.includes('/')
          ? [
              {
                where: [is('repository', repository), { column: 'name', is: 'prefix', value: name } as const],
              },
            ]
          : []),
        beginning('name', text),
      ],
      hitOf: (file) => ({
        id: fileId(file),
        note: file.state,
        command: commandLine('indexing why', fileId(file)),
        page: pageAt`/indexing/files/${file.repository}/${file.name}`,
        isExact: file.name === text || fileId(file) === text,
      }),
    })
  },
}

export const indexingFinders: readonly Finder[] = [filesFinder, capturesFinder]
