import { bags, resolutions } from '../../domain/fixity/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore'>

/** Bags that are looked at, and reported, in one go. */
const maxBags = 1000

/** Bags that are not valid though no finding about a file in them is open: a stray file makes no finding (B1). */
export const bagsNotValid = ({ viewStore }: Known): readonly Cause[] => {
  if (!viewStore.shape(bags.name)) return []
  const rows = rowsIfFolded(viewStore, bags, {
    where: [is('verdict', 'not-valid')],
    orderBy: [{ column: 'since' }],
    limit: maxBags,
  }).filter((row) => !hasFinding(viewStore, row))
  return Object.entries(Object.groupBy(rows, ({ store }) => store ?? '')).flatMap(([store, found = []]) => {
    const [oldest] = found
    if (!oldest) return []
    const one = `${oldest.bag}: ${oldest.because.replace(/\.$/, '')}`
    return [
      {
        key: `bags/${store}`,
        says: `${plural(found.length, 'bag')} of ${store} ${found.length === 1 ? 'is' : 'are'} not valid${found.length === 1 ? '' : ', the first'}: ${one}`,
        brief: `${plural(found.length, 'bag')} of ${store} ${found.length === 1 ? 'is' : 'are'} not valid: ${oldest.bag}${found.length === 1 ? '' : ' …'}`,
        todo: `\`${commandLine('fixity bag', store, oldest.bag ?? '')}\` names what is wrong; once it is put right, \`${commandLine('fixity check', store)}\` judges it anew`,
        page: '/fixity',
        weight: found.length,
      },
    ]
  })
}

const hasFinding = (viewStore: Known['viewStore'], { store, bag }: RowOf<typeof bags>): boolean =>
  rowsIfFolded(viewStore, resolutions, {
    where: [
      is('store', store),
      ...(bag === '.' ? [] : [{ column: 'path', is: 'prefix', value: `${bag}/` } as const]),
      is('status', 'open'),
    ],
    limit: 1,
  }).length > 0
