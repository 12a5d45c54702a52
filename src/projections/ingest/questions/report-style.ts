import { type Html, html } from '../../../domain/kernel/html.ts'

/** For screen and paper. Colours never carry a meaning alone. */
export const reportStyle: Html = html`<style>
:root { color-scheme: light; --line: #c8c8c8; --quiet: #555 }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 64rem; margin: 2rem auto; padding: 0 1.5rem }
h1 { font-size: 1.6rem; margin: 0 }
h2 { font-size: 1.2rem; margin: 2rem 0 .2rem; border-bottom: 2px solid #1a1a1a }
p { margin: .3rem 0 }
.quiet { color: var(--quiet) }
.verdict { font-size: 1.1rem; font-weight: 600; margin: .8rem 0; padding: .3rem .8rem; border-left: 5px solid #777 }
.OK { border-color: #2e7d4f } .FAIL { border-color: #b3261e }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: .8rem 0 }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
thead th { border-bottom: 1px solid #1a1a1a; font-weight: 600 }
tbody th { font-weight: 400 }
time, time span { white-space: nowrap }
.scroll { overflow-x: auto }
@page { margin: 16mm 14mm }
@media print {
  body { font-size: 9.5pt; margin: 0; padding: 0; max-width: none }
  tr { break-inside: avoid }
  thead { display: table-header-group }
  .scroll { overflow: visible }
}
</style>`
