import { useState } from 'preact/hooks'
import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Command, giveCommand } from '../../parts/command.tsx'
import { quoted } from '../../parts/command-line.ts'
import { Name } from '../../parts/name.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { LogMenu } from './log-menu.tsx'
import { type Setting, SettingValue, Written } from './setting-value.tsx'

/** Settings that are written with more help elsewhere. */
const ownPages: Readonly<Record<string, readonly [to: string, words: string]>> = {
  reports: ['/fixity/reports', 'Reports by mail'],
  indexingSources: ['/indexing/sources', 'Sources of archive files'],
}

/** One setting of the archive: what it is, what holds, and another value for it. */
const SettingPage = ({ values: { setting: name = '' } }: PageProps) => (
  <>
    <h1>{name}</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/settings')}>
      {({ settings }) => {
        const setting = settings.find((one) => one.setting === name)
        return setting ? (
          <One of={setting} />
        ) : (
          <p>
            There is no setting {name} of the archive. <Link to="/log/settings">All settings</Link>
          </p>
        )
      }}
    </Answer>
  </>
)

const One = ({ of }: { readonly of: Setting }) => {
  const { setting, says, value, actor, reason, at, from, takesEffect, needsStart } = of
  const own = ownPages[setting]
  return (
    <>
      <p>
        {says}.
        {own && (
          <>
            {' '}
            <Link to={own[0]}>{own[1]}</Link> writes it for you.
          </>
        )}
      </p>
      <dl class="facts">
        <dt>Holds here</dt>
        <dd>
          <SettingValue of={of} />
        </dd>
        <dt>In the log</dt>
        <dd>
          {value === null ? (
            <span class="why">not set</span>
          ) : (
            <Written setting={setting} text={String(value)} />
          )}
        </dd>
        {actor !== null && at !== null && (
          <>
            <dt>Set by</dt>
            <dd>
              <Actor text={actor} />: <Name text={reason ?? ''} isWhole />, <Time at={at} />
            </dd>
          </>
        )}
        <dt>A change holds</dt>
        <dd>
          {takesEffect === 'at once' ? 'at once' : 'from the next start of a process'}
          {needsStart && (
            <>
              {' '}
              <State is="needs somebody" words="this process needs a start for it" />
            </>
          )}
        </dd>
      </dl>
      {from !== 'log' && from !== 'default' && (
        <p>
          <State is="needs somebody" words="set where this process was started" />: its {from} says the value,
          and goes before the log until it is taken away there.
        </p>
      )}
      <Change key={String(value)} of={of} />
    </>
  )
}

const Change = ({ of: { setting, example, value, takesEffect } }: { readonly of: Setting }) => {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const isSecret = /^(file|env):/.test(example)
  return (
    <section aria-labelledby="change">
      <h2 id="change">Change it</h2>
      <form
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) =>
          setTyped(String(new FormData(currentTarget).get('value') ?? '').trim())
        }
      >
        <div class="field">
          <label for="value">Value</label>
          <input
            id="value"
            name="value"
            required
            defaultValue={typed}
            placeholder={example}
            autocomplete="off"
            aria-describedby="value-says"
          />
          <small id="value-says">
            Such as <code>{example}</code>.
            {isSecret && ' The secret stays where this points: a file, or a variable of each process.'}
          </small>
        </div>
      </form>
      <div class="buttons">
        <Act
          verb="Set it"
          says={`${setting} is ${typed} for all processes of this archive, ${takesEffect === 'at once' ? 'at once' : 'each from its next start on'}. A value that cannot be is refused, and says what is wanted.`}
          needs={{ command: 'settings.set' }}
          cannot={typed === '' ? 'Value: is not given yet.' : undefined}
          act={(by) => giveCommand('settings.set', { setting, value: typed }, by)}
        />
        {value !== null && (
          <Command
            name="settings.unset"
            input={{ setting }}
            verb="Take it out of the log"
            says={`The default of ${setting} holds again. What it was stays in the past of the log.`}
          />
        )}
      </div>
      <SameLine line={`fonds settings set ${setting} ${quoted(typed || example)}`} />
    </section>
  )
}

export default SettingPage
