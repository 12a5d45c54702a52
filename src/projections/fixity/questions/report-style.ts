import { type Html, html } from '../../../domain/kernel/html.ts'

/** For screen and paper. Colours differ in grey, too, and never carry a meaning alone. */
export const reportStyle: Html = html`<style>
:root { color-scheme: light; --line: #c8c8c8; --quiet: #555 }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 72rem; margin: 2rem auto; padding: 0 1.5rem }
h1 { font-size: 1.7rem; margin: 0 }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .2rem; border-bottom: 2px solid #1a1a1a }
p { margin: .3rem 0 }
.quiet { color: var(--quiet) }
.verdict { font-size: 1.1rem; margin-top: .8rem }
.wrong { border-left: 5px solid #b3261e; padding: .3rem .8rem; background: #fdeceb }
.bar { display: block; width: 100%; height: 1.1rem; margin: .7rem 0 .5rem; background: #eee }
.parts { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin: 0 0 .8rem; padding: 0; list-style: none }
.parts svg { width: .8rem; height: .8rem; margin-right: .35rem }
.verified { fill: #2e7d4f } .late { fill: #7fb3d5 } .unchecked { fill: #cfcfcf }
.unverified { fill: #e8b93f } .parked { fill: #7a4fa3 } .baselined { fill: #9fc5a8 } .accepted { fill: #6b8e23 } .unread { fill: #b8b08d } .lost { fill: #5c2320 } .suspect { fill: #e07b39 } .failed { fill: #b3261e }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line) }
thead th { border-bottom: 1px solid #1a1a1a; font-weight: 600 }
tbody th { font-weight: 400 }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.path { overflow-wrap: anywhere; min-width: 12rem }
time, time span { white-space: nowrap }
.scroll { overflow-x: auto }
@media screen and (max-width: 46rem) {
  body { margin: 1rem auto; padding: 0 1rem }
  table, tbody, caption, tr, tbody th { display: block }
  thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0 }
  th, td { border-bottom: 0 }
  tbody th { font-weight: 600; min-width: 0 }
  td { display: flex; gap: .6rem; padding: .1rem 0; white-space: normal }
  td::before { content: attr(data-label); flex: 0 0 9rem; color: var(--quiet) }
  td span { overflow-wrap: anywhere }
  td.n { text-align: left }
  td.zero { display: none }
}
@page { margin: 16mm 14mm }
@media print {
  body { font-size: 9.5pt; margin: 0; padding: 0; max-width: none }
  h2 { break-after: avoid }
  .summary, tr { break-inside: avoid }
  thead { display: table-header-group }
  .scroll { overflow: visible }
  .path { min-width: 8rem }
  time { white-space: normal }
  .bar, .bar *, .parts svg { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
</style>`
