import { useState } from 'preact/hooks'

type Theme = 'system' | 'light' | 'dark'
const themes: readonly Theme[] = ['system', 'light', 'dark']
const key = 'fonds-theme'

const apply = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const stored = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system'

/** Before anything is drawn. */
export const applyStoredTheme = (): void => apply(stored())

export const ThemeSwitch = () => {
  const [theme, setTheme] = useState(stored)
  const choose = (chosen: Theme) => {
    localStorage.setItem(key, chosen)
    apply(chosen)
    setTheme(chosen)
  }
  return (
    <label class="theme">
      Colours{' '}
      <select value={theme} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        <option value="system">of the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  )
}
