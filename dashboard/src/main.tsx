import { render } from 'preact'
import { App } from './shell/app.tsx'
import { applyStoredTheme } from './shell/theme.tsx'
import './style/index.css'

applyStoredTheme()
render(<App />, document.getElementById('page') as HTMLElement)
