import { useState } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { useNow } from '../../api/use-past.ts'
import { Act } from '../../parts/act.tsx'
import { giveCommand } from '../../parts/command.tsx'
import { quoted } from '../../parts/command-line.ts'
import { SameLine } from '../../parts/same-line.tsx'
import {
  addressesIn,
  endOf,
  periods,
  type Schedule,
  scheduleText,
  settingOf,
  whyNoSchedule,
} from './report-schedules.ts'

interface AddScheduleProps {
  readonly schedules: readonly Schedule[]
  readonly cannot: string | undefined
}

const none: Schedule = { period: 'monthly', to: [], store: '', isAlways: true }

/** One more report that comes by itself. */
export const AddSchedule = ({ schedules, cannot }: AddScheduleProps) => {
  const [given, setGiven] = useState(none)
  const now = useNow()
  const isTyped = given.to.length > 0
  const isThere = schedules.some((one) => scheduleText(one) === scheduleText(given))
  const fault =
    whyNoSchedule(given) ?? (isThere ? 'To whom: this very report is mailed to them already.' : undefined)
  const value = settingOf([...schedules, given])
  const first = endOf(given.period, now).toISOString().slice(0, 10)
  return (
    <section aria-labelledby="add">
      <h2 id="add">Add a report</h2>
      <form
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) => setGiven(scheduleIn(new FormData(currentTarget)))}
      >
        <Fields />
      </form>
      {isTyped && fault !== undefined && (
        <p class="trouble" role="status">
          {fault}
        </p>
      )}
      <div class="buttons">
        <Act
          verb="Mail this report"
          says={`The first comes when its period has ended, behind ${first} 00:00 UTC: ${given.store || 'all stores'}, to ${given.to.join(', ')}${given.isAlways ? '' : ', and only if not all is well'}. The mail has the figures in its text, and the report as HTML and CSV. What is missed while Fonds is stopped is sent once.`}
          needs={{ command: 'settings.set' }}
          cannot={cannot ?? fault}
          act={(by) => giveCommand('settings.set', { setting: 'reports', value }, by)}
        />
      </div>
      <SameLine
        line={`fonds settings set reports ${quoted(isTyped ? value : 'monthly to=ada@archive.example')}`}
      />
    </section>
  )
}

const Fields = () => (
  <>
    <div class="field">
      <label for="period">How often</label>
      <select id="period" name="period" aria-describedby="period-says">
        {periods.map((one) => (
          <option key={one} value={one} selected={one === none.period}>
            {one}
          </option>
        ))}
      </select>
      <small id="period-says">A report is of a whole day, week, month, quarter or year, by UTC.</small>
    </div>
    <div class="field">
      <label for="to">To whom</label>
      <input
        id="to"
        name="to"
        required
        placeholder="ada@archive.example"
        autocomplete="off"
        aria-describedby="to-says"
      />
      <small id="to-says">
        Mail addresses, with commas between. The log keeps references in their place; the addresses stay in
        this home.
      </small>
    </div>
    <div class="field">
      <label for="store">Store</label>
      <StoreChoice />
      <small id="store-says">Of which store it is.</small>
    </div>
    <div class="field">
      <label for="when">When</label>
      <select id="when" name="when" aria-describedby="when-says">
        <option value="always">always</option>
        <option value="wrong">only if not all is well</option>
      </select>
      <small id="when-says">A mail that says that all is well shows as well that the mails arrive.</small>
    </div>
  </>
)

const StoreChoice = () => {
  const { answered } = useAnswer('/api/v1/fixity/stores')
  return (
    <select id="store" name="store" aria-describedby="store-says">
      <option value="">all stores</option>
      {(answered?.data.stores ?? []).map(({ store }) => (
        <option key={store} value={store}>
          {store}
        </option>
      ))}
    </select>
  )
}

const scheduleIn = (typed: FormData): Schedule => ({
  period: periods.find((one) => one === typed.get('period')) ?? none.period,
  to: addressesIn(String(typed.get('to') ?? '')),
  store: String(typed.get('store') ?? ''),
  isAlways: typed.get('when') !== 'wrong',
})
