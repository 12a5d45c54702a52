import { isRemoved } from '../../domain/fixity/bags/judging.ts'
import { bags, resolutions } from '../../domain/fixity/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { liveBags } from '../../projections/fixity/questions/live-bags.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore' | 'clock'>

/** Bags that are looked at, and counted, in one go. */
const maxBags = 100

/** Incomplete bags (B1) without a finding about a file in them: nothing else names a stray file as what is wrong. */
export const bagsNotValid = (system: Known): readonly Cause[] => {
  const { viewStore } = system
  if (!viewStore.shape(bags.name)) return []
  const rows = rowsIfFolded(viewStore, bags, {
    where: [is('verdict', 'not-valid'), is('rule', 'B1')],
    orderBy: [{ column: 'since' }],
    limit: maxBags,
  }).filter((row) => !hasFinding(system, row) && isThere(system, row))
  return Object.entries(Object.groupBy(rows, ({ store }) => store ?? '')).flatMap(([store, found = []]) => {
    const [oldest] = found
    if (!oldest) return []
    const isOne = found.length === 1
    const are = `${rows.length === maxBags ? 'at least ' : ''}${plural(found.length, 'bag')} of ${store} ${isOne ? 'is' : 'are'} not valid`
    return [
      {
        key: `bags/${store}`,
        says: `${are}${isOne ? '' : ', the first'}: ${oldest.bag}: ${oldest.because.replace(/\.$/, '')}`,
        brief: `${are}: ${oldest.bag}${isOne ? '' : ' …'}`,
        todo: `\`${commandLine('fixity bag', store, oldest.bag ?? '')}\` names what is wrong; once it is put right, \`${commandLine('fixity check', store)}\` judges it anew`,
        page: '/fixity',
        weight: found.length,
      },
    ]
  })
}

type BagRow = RowOf<typeof bags>

const hasFinding = ({ viewStore }: Known, { store, bag }: BagRow): boolean =>
  rowsIfFolded(viewStore, resolutions, {
    where: [
      is('store', store),
      ...(bag === '.' ? [] : [{ column: 'path', is: 'prefix', value: `${bag}/` } as const]),
      is('status', 'open'),
    ],
    limit: 1,
  }).length > 0

/** It was not removed on purpose. */
const isThere = ({ viewStore, clock }: Known, { store, bag, structure }: BagRow): boolean =>
  liveBags(viewStore, { store: store ?? '', bag: bag ?? '.' }, clock.now()).some(
    ({ content }) => !isRemoved(structure, content),
  )
