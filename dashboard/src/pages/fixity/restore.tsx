import { useState } from 'preact/hooks'
import { post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { bytes, count, plural } from '../../parts/words.ts'

const tiers = ['Standard', 'Bulk', 'Expedited'] as const
type Tier = (typeof tiers)[number]

interface RestoreProps {
  readonly store: string
  /** One item; absent: all of the store, or what is below a prefix. */
  readonly path?: string
  /** How much it is, in a sentence. */
  readonly amount: string
}

/** Has archived objects restored, for so many days and at the price of a tier. */
export const Restore = ({ store, path, amount }: RestoreProps) => {
  const [prefix, setPrefix] = useState('')
  const [days, setDays] = useState(10)
  const [tier, setTier] = useState<Tier>('Bulk')
  const scope = path === undefined ? (prefix === '' ? {} : { prefix }) : { path }
  return (
    <Act
      verb={path === undefined ? 'Have archived items restored' : 'Have it restored'}
      says={`${amount} The storage charges for each object and byte, and for the days that the copies are kept. Bytes can be read some hours later, by the next check.`}
      act={({ key, ...by }) =>
        post('/api/v1/commands/fixity.restore', {
          body: { input: { store, days, tier, ...scope }, ...by },
          key,
        })
      }
    >
      {path === undefined && (
        <label>
          Below (empty: the whole store)
          <input value={prefix} onInput={({ currentTarget }) => setPrefix(currentTarget.value)} />
        </label>
      )}
      <label>
        Days for which the copies are kept
        <input
          type="number"
          min={1}
          required
          value={days}
          onInput={({ currentTarget }) => setDays(currentTarget.valueAsNumber)}
        />
      </label>
      <label>
        Tier
        <select
          value={tier}
          onChange={({ currentTarget }) =>
            setTier(tiers.find((one) => one === currentTarget.value) ?? 'Bulk')
          }
        >
          {tiers.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
    </Act>
  )
}

/** The same of a store; nothing where no check has found an archived item. */
export const RestoreStore = ({ store }: { readonly store: string }) => (
  <Answer of={useAnswer('/api/v1/fixity/archived', { query: { store } })}>
    {(found) =>
      found.items > 0 && (
        <Restore
          store={store}
          amount={`At their last checks ${plural(found.items, 'item was', 'items were')} archived: ${bytes(found.bytes)}${found.unknownSize > 0 ? `, and ${count(found.unknownSize)} of unknown size` : ''}.`}
        />
      )
    }
  </Answer>
)
