import { get } from '../../../api/client.ts'
import { bytes, count, plural } from '../../../parts/words.ts'
import { fileAt } from '../../indexing/addresses.ts'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

export const indexing: Workflow = {
  name: 'indexing',
  title: 'Can every harvested page be found?',
  page: '/indexing',
  ask: async (signal) => {
    const [{ data: report }, { data: failed }, { data: late }] = await Promise.all([
      get('/api/v1/indexing/report', { query: { limit: 1000 } }, signal),
      get('/api/v1/indexing/failed', { query: { limit: maxNeeds } }, signal),
      get('/api/v1/indexing/late', { query: { limit: maxNeeds } }, signal),
    ])
    const files = (isWanted: (state: string) => boolean) =>
      report.report.filter(({ state }) => isWanted(state)).reduce((sum, one) => sum + one.files, 0)
    const lines = report.report.reduce((sum, one) => sum + one.lines, 0)
    const size = report.report.reduce((sum, one) => sum + one.bytes, 0)
    const all = files(() => true)
    const indexed = files((state) => state === 'indexed')
    return {
      ...conditionOf(all, failed.failed.length, late.late.length),
      amount: { value: count(lines), of: lines === 1 ? 'line in the index' : 'lines in the index' },
      facts: [
        ['Files indexed', `${count(indexed)} of ${count(all)}`],
        ['Size', bytes(size)],
        ['Not indexed', count(all - indexed)],
      ],
      needs: [
        ...failed.failed.map(
          ({ repository, name, state, because, discoveredAt }): Need => ({
            since: discoveredAt,
            subject: `${repository}/${name}`,
            says: `is ${state}: ${because ?? 'no reason is known'}`,
            href: fileAt({ repository, name }),
            thing: `${repository}/${name}`,
            verb: 'See the file',
          }),
        ),
        ...late.late
          .filter(({ state }) => state !== 'failed' && state !== 'parked')
          .map(
            ({ repository, name, state, discoveredAt, unpublishedSince }): Need => ({
              since: unpublishedSince ?? discoveredAt,
              subject: `${repository}/${name}`,
              says: `is ${state}, and cannot be found.`,
              href: fileAt({ repository, name }),
              thing: `${repository}/${name}`,
              verb: 'See the file',
            }),
          ),
      ],
      hasMoreNeeds: failed.failed.length === maxNeeds || late.late.length === maxNeeds,
    }
  },
}

const conditionOf = (all: number, failed: number, late: number): Pick<Report, 'is' | 'says'> => {
  if (failed > 0) return { is: 'needs somebody', says: `${plural(failed, 'file')} could not be indexed` }
  if (late > 0) return { is: 'needs somebody', says: `${plural(late, 'file')} not in the index for too long` }
  if (all === 0) return { is: 'idle', says: 'no archive file is known yet' }
  return { is: 'well', says: 'no file failed, none is late' }
}
