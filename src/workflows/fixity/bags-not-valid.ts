import { plural } from '../../domain/kernel/amounts.ts'
import { bagsAlone, maxBagsAlone } from '../../projections/fixity/questions/bags-alone.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore' | 'clock'>

/** Bags that are not valid while no finding is open about a file in them. */
export const bagsNotValid = ({ viewStore, clock }: Known): readonly Cause[] => {
  const rows = bagsAlone(viewStore, clock.now())
  return Object.entries(Object.groupBy(rows, ({ store }) => store)).flatMap(([store, found = []]) => {
    const [oldest] = found
    if (!oldest) return []
    const isOne = found.length === 1
    const are = `${rows.length === maxBagsAlone ? 'at least ' : ''}${plural(found.length, 'bag')} of ${store} ${isOne ? 'is' : 'are'} not valid`
    return [
      {
        key: `bags/${store}`,
        says: `${are}${isOne ? '' : ', the first'}: ${oldest.bag}: ${oldest.because}`,
        brief: `${are}: ${oldest.bag}${isOne ? '' : ' …'}`,
        todo: `\`${commandLine('fixity bag', store, oldest.bag)}\` names what is wrong; once it is put right, \`${commandLine('fixity check', store)}\` judges it anew`,
        page: '/fixity',
        weight: found.length,
      },
    ]
  })
}
