import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer, get } from '../../api/client.ts'
import { Command } from '../../parts/command.tsx'
import { quoted } from '../../parts/command-line.ts'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Path } from '../../parts/path.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { type Condition, State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import type { Page } from '../../parts/window-list.tsx'
import { count, plural } from '../../parts/words.ts'
import { itemAt } from './addresses.ts'
import { type Difference, differenceChoosing } from './difference-choosing.ts'

type Compared = Answer<'/api/v1/fixity/differences'>['stores'][number]

/** Each class of difference: how it is shown, and its words. */
const classes: Readonly<Record<Difference['difference'], readonly [Condition, string]>> = {
  new: ['needs somebody', 'new'],
  missing: ['wrong', 'missing'],
  moved: ['needs somebody', 'moved'],
  changed: ['wrong', 'another size'],
}
/** What is to come of a file without anybody who looks for it. */
const waits: Readonly<Record<NonNullable<Difference['waitsFor']>, string>> = {
  finding: 'has a finding',
  revival: 'its check is parked',
  check: 'is being checked',
}
const names = Object.keys(classes) as Difference['difference'][]

/** Files of each store that its last comparison found otherwise than recorded, and that nothing has settled since; `?difference=…&store=…`. */
export const Differences = () => {
  const { query } = useAddress()
  const kind = names.find((one) => one === query.get('difference'))
  const store = query.get('store') ?? ''
  const prefix = query.get('prefix') ?? ''
  return (
    <Paged
      name={JSON.stringify(['differences', kind, store, prefix])}
      caption="Differences"
      ask={async ({ offset, limit }: Page, signal) => {
        const asked = { query: store === '' ? {} : { store } }
        const { data, at } = await get('/api/v1/fixity/differences', asked, signal)
        const all = data.first.filter(
          ({ difference, path }) => (kind === undefined || difference === kind) && path.startsWith(prefix),
        )
        return {
          data: { rows: all.slice(offset, offset + limit), total: all.length, stores: data.stores },
          at,
        }
      }}
    >
      {({ rows, total, stores }, page) =>
        stores.length === 0 ? null : (
          <section aria-labelledby="differences">
            <h2 id="differences">New, missing, moved</h2>
            <ul class="findings flush">
              {stores.map((one) => (
                <li key={one.store}>
                  <OfStore of={one} />
                </li>
              ))}
            </ul>
            {(total > 0 || kind !== undefined) && (
              <>
                <Kinds chosen={kind} />
                <ActTable<Difference>
                  {...page}
                  total={total}
                  choosing={differenceChoosing}
                  caption="The first of each, by the last comparison of each store"
                  none="There is none of that kind."
                  rows={rows}
                  keyOf={({ store, difference, path }) => `${store} ${difference} ${path}`}
                  columns={[
                    {
                      title: 'File',
                      cell: ({ store, path, difference }) =>
                        difference === 'new' ? (
                          <Path text={`${store}/${path}`} />
                        ) : (
                          <Path text={`${store}/${path}`} to={itemAt(store, path)} />
                        ),
                    },
                    {
                      title: 'Is',
                      cell: ({ difference }) => {
                        const [is, words] = classes[difference]
                        return <State is={is} words={words} />
                      },
                    },
                    { title: 'How', cell: ({ detail }) => detail !== '' && <Name text={detail} isWhole /> },
                    {
                      title: 'Waits for',
                      cell: ({ store, path, waitsFor }) =>
                        waitsFor !== null && <Link to={itemAt(store, path)}>{waits[waitsFor]}</Link>,
                    },
                  ]}
                />
              </>
            )}
            <SameLine
              line={store === '' ? 'fonds fixity differences' : `fonds fixity differences ${quoted(store)}`}
            />
          </section>
        )
      }
    </Paged>
  )
}

const Kinds = ({ chosen }: { readonly chosen: Difference['difference'] | undefined }) => {
  const address = useAddress()
  return (
    <nav class="buttons" aria-label="Kinds of differences">
      {[undefined, ...names].map((one) => (
        <Link key={one ?? 'all'} to={changed(address, { difference: one })} current={one === chosen}>
          {one === undefined ? 'all' : classes[one][1]}
        </Link>
      ))}
    </nav>
  )
}

const policies: Readonly<Record<string, string>> = {
  ask: 'New files are named here, and taken in when somebody says so.',
  'take-in': 'New files are taken in by themselves.',
}

const OfStore = ({ of }: { readonly of: Compared }) => {
  const { store, newFiles, comparedAt, requested, unrecorded: left } = of
  return (
    <>
      <div>
        <Name text={store} />
        <p class="cause">
          {comparedAt === null ? (
            newFiles === null ? (
              'It is not compared with its record by itself.'
            ) : (
              'It was not compared yet.'
            )
          ) : (
            <>
              {plural(of.new, 'new file')}
              {of.takenIn > 0 && ` (${count(of.takenIn)} of them taken in)`}, {count(of.missing)} missing,{' '}
              {count(of.moved)} moved, {count(of.changed)} of another size
              {of.unlisted > 0 && `, ${count(of.unlisted)} that could not be listed`}; compared{' '}
              <Time at={comparedAt} />.
            </>
          )}{' '}
          {newFiles !== null && policies[newFiles]}
          {requested > 0 && (
            <>
              {' '}
              <strong>{plural(requested, 'request')} to take files in wait for the next comparison.</strong>
            </>
          )}
        </p>
      </div>
      <div class="buttons">
        {left > 0 && (
          <Command
            name="fixity.take-in"
            input={{ store }}
            verb={`Take in ${plural(left, 'new file')}`}
            says={`All that is new in ${store} is recorded by the next comparison, within a minute: by the checksums of manifests, or by a first reading. Nothing says that it is what it should be.`}
          />
        )}
        {newFiles === null && (
          <Command
            name="fixity.change-policy"
            input={{ store, newFiles: 'ask' }}
            verb="Compare it every day"
            says={`${store} is listed once a day, and what is new, missing or moved is named here. Nothing is recorded by itself.`}
          />
        )}
        {newFiles === 'ask' && (
          <Command
            name="fixity.change-policy"
            input={{ store, newFiles: 'take-in' }}
            verb="Take new files in by themselves"
            says="New files are recorded once nobody has written to them for an hour."
          />
        )}
        {newFiles === 'take-in' && (
          <Command
            name="fixity.change-policy"
            input={{ store, newFiles: 'ask' }}
            verb="Ask before taking in"
            says="New files are named here, and recorded when somebody says so."
          />
        )}
      </div>
    </>
  )
}
